import { z } from "zod";
import { readIdentity } from "./identity-client.ts";

const name = "google";
const error = z.string().nullable();

/** How often, in milliseconds, and how many times we look for a session once the window is closed. */
const pause = 1_000;
const looks = 5;

/** Opens a window for Google's page while the click that asks for it still counts; null where the browser refuses. */
export function openGooglePopup(): Window | null {
  return open("about:blank", name, "popup,width=480,height=640");
}

/** The watch over the last window opened. */
let watch = new AbortController();

/**
 * Watches Google's window, in the place of any before. `onBack` hears once which error it came back with,
 * null where it let somebody in, and nothing of a window that was merely closed.
 *
 * Our pages' policy parts the two windows on the way, and then it looks closed though it is not. So one
 * that looks closed only makes us look whether somebody is signed in by now.
 */
export function watchGooglePopup(popup: Window, onBack: (error: string | null) => void): void {
  stopWatchingGooglePopup();
  watch = new AbortController();
  const { signal } = watch;
  const settle = (came: string | null) => {
    if (signal.aborted) return;
    stopWatchingGooglePopup();
    onBack(came);
  };

  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => settle(error.parse(data));
  let left = looks;
  const timer = setInterval(async () => {
    if (!popup.closed || left === 0) return;
    left -= 1;
    if (await readIdentity().catch(() => null)) settle(null);
  }, pause);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    channel.close();
  });
}

/** Ends the watch: who comes in another way, or asks anew, is not waited for. */
export function stopWatchingGooglePopup(): void {
  watch.abort();
}

/** In Google's window: tells the page that opened it, and closes. Returns only where it cannot close. */
export async function closeGooglePopup(came: string | null): Promise<void> {
  const channel = new BroadcastChannel(name);
  channel.postMessage(came);
  channel.close();
  window.close();
  await new Promise((stillHere) => setTimeout(stillHere, 300));
}
