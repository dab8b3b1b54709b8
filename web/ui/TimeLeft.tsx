import { useEffect, useState, useSyncExternalStore } from "react";
import { counted } from "./format-dates-and-counts.ts";

export function TimeLeft({ until, onExpired }: { until: string; onExpired: () => void }) {
  const hasExpired = useExpiry(until, onExpired);
  const left = Date.parse(until) - useNow();
  return hasExpired
    ? "The hold has expired."
    : `Held for you for another ${formatTimeLeft(Math.max(left, 1))}.`;
}

/** Remaining time in one unit: 23 hours. */
export function formatTimeLeft(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes < 60) return counted(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day");
}

/** Whether the time is up. Unlike `useNow`, doesn't wait for the next half minute. */
function useExpiry(until: string, onExpired: () => void): boolean {
  const [expired, setExpired] = useState<string | null>(null);
  useEffect(() => {
    const left = Date.parse(until) - Date.now();
    // setTimeout overflows after 24 days.
    if (left > 2 ** 31 - 1) return;
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
