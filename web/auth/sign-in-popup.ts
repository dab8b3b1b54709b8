import { readIdentity } from "../api/identity-client.ts";

const name = "sign-in";

/** How often the page polls for a session after the popup has closed. */
const pollIntervalMs = 1_000;
const maxPolls = 5;

/** Opens synchronously, so that popup blockers allow it. Null for a blocked popup. */
export function openSignInPopup(): Window | null {
  return open("about:blank", name, "popup,width=480,height=640");
}

let watcher = new AbortController();

/**
 * Calls `onBack` with an error code, or with null after a sign-in. Our Cross-Origin-Opener-Policy
 * makes `closed` true too early, so the page then starts polling for a session.
 */
export function watchSignInPopup(popup: Window, onBack: (error: string | null) => void): void {
  stopWatchingSignInPopup();
  watcher = new AbortController();
  const { signal } = watcher;
  const finish = (errorCode: string | null) => {
    if (signal.aborted) return;
    stopWatchingSignInPopup();
    onBack(errorCode);
  };

  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => finish(typeof data === "string" ? data : null);
  let left = maxPolls;
  const timer = setInterval(async () => {
    if (!popup.closed || left === 0) return;
    left -= 1;
    if (await readIdentity().catch(() => null)) finish(null);
  }, pollIntervalMs);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    channel.close();
  });
}

export function stopWatchingSignInPopup(): void {
  watcher.abort();
}

/** Runs in the popup. Returns only if the popup can't be closed. */
export async function closeSignInPopup(errorCode: string | null): Promise<void> {
  const channel = new BroadcastChannel(name);
  channel.postMessage(errorCode);
  channel.close();
  window.close();
  await new Promise((stillHere) => setTimeout(stillHere, 300));
}
