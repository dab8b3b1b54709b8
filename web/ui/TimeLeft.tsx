import { useEffect, useState } from "react";
import { formatTimeLeft } from "./format.ts";
import { useNow } from "./use-now.ts";

type TimeLeftProps = { until: string; onExpired: () => void };

/** How long an unpaid laptop is still held for its buyer; `onExpired` is called when the hold runs out. */
export function TimeLeft({ until, onExpired }: TimeLeftProps) {
  const hasExpired = useExpiry(until, onExpired);
  const left = Date.parse(until) - useNow();
  return hasExpired
    ? "The hold has expired."
    : `Held for you for another ${formatTimeLeft(Math.max(left, 1))}.`;
}

/** Whether a moment has passed, to the millisecond: `useNow` goes in half minutes. */
function useExpiry(until: string, onExpired: () => void): boolean {
  const [expired, setExpired] = useState<string | null>(null);
  useEffect(() => {
    const left = Date.parse(until) - Date.now();
    // A timer takes 24 days at most; no hold is that long.
    if (left > longestTimer) return;
    const timer = setTimeout(
      () => {
        setExpired(until);
        onExpired();
      },
      Math.max(left, 0),
    );
    return () => clearTimeout(timer);
  }, [until, onExpired]);
  return expired === until;
}

const longestTimer = 2 ** 31 - 1;
