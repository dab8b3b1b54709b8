import { createLocalJWKSet, errors, type JWTVerifyGetKey } from "jose";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { limitedFetch } from "../limit-calls.ts";

const fetchAnswer = limitedFetch(1_000_000);
/** Minimum time between fetches for unknown keys. Anyone can send a token with such a key. */
const cooldownMs = 30_000;

type KeySet = { find: JWTVerifyGetKey; fetchedAt: number; until: number };

/**
 * The public keys at `url`, cached for the time in the response's `cache-control` header. An
 * unknown key causes another fetch. Throws `UNAVAILABLE` if the keys can't be read.
 */
export function publishedKeys(
  url: string,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): JWTVerifyGetKey {
  let current: KeySet | undefined;
  let fetching: Promise<KeySet> | undefined;
  return async (header, token) => {
    const now = clock.now().getTime();
    const known = current && now < current.until ? current : await fetchAgain(now);
    try {
      return await known.find(header, token);
    } catch (error) {
      const isTooSoon = now - known.fetchedAt < cooldownMs;
      if (!(error instanceof errors.JWKSNoMatchingKey) || isTooSoon) throw error;
      return await (await fetchAgain(now)).find(header, token);
    }
  };

  async function fetchAgain(now: number): Promise<KeySet> {
    fetching ??= fetchKeys(url, { now, timeoutMs }).finally(() => {
      fetching = undefined;
    });
    current = await fetching;
    return current;
  }
}

async function fetchKeys(
  url: string,
  { now, timeoutMs }: { now: number; timeoutMs: number },
): Promise<KeySet> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetchAnswer(url, { redirect: "error", signal });
    if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
    const [, seconds] = /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "") ?? [];
    const find = createLocalJWKSet(JSON.parse(await response.text()));
    return { find, fetchedAt: now, until: now + Number(seconds ?? 0) * 1_000 };
  } catch (cause) {
    throw signInUnavailable(cause);
  }
}

export function signInUnavailable(cause: unknown): AppError {
  const sentence = "We can't reach our sign-in service right now. Try again in a minute.";
  return Object.assign(new AppError("UNAVAILABLE", sentence), { cause });
}
