import type { Attempt } from "./requests.ts";

/** For each kind of request: usable responses, and the minimum successes per minute of load. */
const expected = {
  browse: { answers: ["200"], leastPerMinute: 60 },
  search: { answers: ["200"], leastPerMinute: 40 },
  "sign in": { answers: ["200"], leastPerMinute: 3 },
  list: { answers: ["200", "201"], leastPerMinute: 5 },
  // Another buyer may book the laptop first.
  hold: { answers: ["201", "409 PRODUCT_TAKEN"], leastPerMinute: 5 },
  deal: { answers: ["200", "201"], leastPerMinute: 20 },
  save: { answers: ["200"], leastPerMinute: 30 },
  "own read": { answers: ["200"], leastPerMinute: 60 },
  // Low, because a stream lasts until its node ends.
  events: { answers: ["200"], leastPerMinute: 0.2 },
} satisfies Record<string, { answers: string[]; leastPerMinute: number }>;

export type Kind = keyof typeof expected;

const kinds = Object.keys(expected) as Kind[];

/** Includes requests without a response. */
export function isFailed({ kind, status, code }: Attempt): boolean {
  const answer = status >= 400 ? `${status} ${code}` : String(status);
  return !(expected[kind].answers as string[]).includes(answer);
}

export function isDone({ status }: Attempt): boolean {
  return status === 200 || status === 201;
}

export function isRefused({ status, retryAfter }: Attempt): boolean {
  return status === 503 && retryAfter;
}

/** Returns a sentence for each kind with too few successes. */
export function tooFew(attempts: Attempt[], minutes: number): string[] {
  return kinds.flatMap((kind) => {
    const least = Math.ceil(expected[kind].leastPerMinute * minutes);
    const count = attempts.filter((one) => one.kind === kind && isDone(one)).length;
    return count < least ? [`${kind}: ${count}, fewer than ${least}`] : [];
  });
}
