import { setTimeout as wait } from "node:timers/promises";
import type { Daemon } from "./machine.ts";

type Options = { seconds?: number; everyMs?: number; daemon?: Daemon };

/** Polls. Throws `what` and the daemon's last output on timeout, or if the daemon has ended. */
export async function waitUntil(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  { seconds = 60, everyMs = 100, daemon }: Options = {},
): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  while (!(await Promise.resolve(isTrue()).catch(() => false))) {
    const ended = daemon && !daemon.isRunning;
    if (Date.now() > until || ended)
      throw new Error(
        `${what}: not after ${seconds} s${ended ? ", the program ended" : ""}${daemon ? `:\n${daemon.said}` : ""}`,
      );
    await wait(everyMs);
  }
}

/** Returns the status of a URL, or 0 without a response. */
export async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status ?? 0;
}
