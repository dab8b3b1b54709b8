import { useSyncExternalStore } from "react";

/** The current time in milliseconds, updated every half minute. */
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
