import { Refusal, TooManyRequests } from "../../errors.ts";

/** Lets so many works go on at once; further ones wait their turn. */
export function turnstile(places: number) {
  const waiting: (() => void)[] = [];
  let free = places;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((go) => waiting.push(go));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/**
 * Lets so many works go on at once, and so many for one member. Refuses `UNAVAILABLE` and
 * `TOO_MANY_REQUESTS` beyond that.
 */
export function places({ all, each }: { all: number; each: number }) {
  const taken = new Map<string, number>();
  const count = (who: string, more: number) => taken.set(who, (taken.get(who) ?? 0) + more);
  let free = all;
  return async <T>(who: string, work: () => Promise<T>): Promise<T> => {
    if (taken.get(who) === each) throw new TooManyRequests(30);
    if (free === 0) throw new Refusal("UNAVAILABLE", tooMany);
    free -= 1;
    count(who, 1);
    try {
      return await work();
    } finally {
      free += 1;
      count(who, -1);
      if (taken.get(who) === 0) taken.delete(who);
    }
  };
}

const tooMany = "Many people are sending photos at the moment. Please try again in a few seconds.";
