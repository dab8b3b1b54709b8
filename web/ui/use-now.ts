import { useSyncExternalStore } from "react";

/** The time in milliseconds, to the half minute, for what counts down. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, halfMinute, halfMinute);
}

const step = 30_000;

function halfMinute(): number {
  return Math.floor(Date.now() / step) * step;
}

function subscribe(notice: () => void) {
  const timer = setInterval(notice, step);
  return () => clearInterval(timer);
}
