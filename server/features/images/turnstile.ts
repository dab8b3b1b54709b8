import { Refusal } from "../../errors.ts";

/**
 * Lets so many works go on at once; further ones wait their turn, up to so many. Refuses `UNAVAILABLE`
 * beyond that.
 */
export function turnstile({ places, waiting: most }: { places: number; waiting: number }) {
  const waiting: (() => void)[] = [];
  let free = places;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) {
      if (waiting.length === most) throw new Refusal("UNAVAILABLE", tooMany);
      await new Promise<void>((go) => waiting.push(go));
    } else {
      free -= 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

const tooMany = "Many people are sending photos at the moment. Please try again in a few seconds.";
