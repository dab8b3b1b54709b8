import { readIdentity } from "../api/identity-client.ts";

const name = "sign-in";

/** How often the page polls for a session after the popup has closed. */
const pollIntervalMs = 1_000;
const maxPolls = 5;

/**
 * Opens the popup synchronously, so that popup blockers allow it. Returns null for a blocked popup.
 */
export function openSignInPopup(): Window | null {
  return open("about:blank", name, "popup,width=480,height=640");
}

let watcher = new AbortController();

/**
 * Watches this popup instead of any earlier popup. Calls `onBack` with an error code, or with null
 * after a sign-in, but not if the user only closes the popup. Our Cross-Origin-Opener-Policy
 * separates the two windows, so `closed` becomes true too early. When the popup looks closed, the
 * page therefore starts polling for a session.
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

/**
 * Runs in the popup. Reports the result to the page that opened the popup, then closes the popup.
 * Returns only if the popup can't be closed.
 */
export async function closeSignInPopup(errorCode: string | null): Promise<void> {
  const channel = new BroadcastChannel(name);
  channel.postMessage(errorCode);
  channel.close();
  window.close();
  await new Promise((stillHere) => setTimeout(stillHere, 300));
}
