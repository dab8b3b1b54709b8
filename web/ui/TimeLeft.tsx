import { timeLeftInWords } from "./in-words.ts";
import { useNow } from "./use-now.ts";

/** How long an unpaid laptop is still held for its buyer. */
export function TimeLeft({ until }: { until: string }) {
  const left = new Date(until).getTime() - useNow();
  return left > 0
    ? `Held for you for another ${timeLeftInWords(left)}.`
    : "The hold has just run out.";
}
