import { createHash } from "node:crypto";
import { type Answer, StripeRefusal } from "./errors.ts";
import type { Store } from "./store.ts";

/** A call that may be made again: its key, if it has one, and all that makes it this call. */
export type KeyedCall = { key: string | undefined; method: string; path: string; params: object };

/**
 * Does `work` once for each idempotency key, in one transaction with keeping its answer; the same
 * call again is answered what the first was. Refuses another call under a key already used. Of
 * refusals only those are kept that come after the parameters were found good, as Stripe does.
 */
export function answerOnce(
  store: Store,
  call: KeyedCall,
  work: () => Answer,
): Answer & { replayed: boolean } {
  const { key } = call;
  return store.transaction(() => {
    if (key === undefined) return { ...attempt(work), replayed: false };
    const request = fingerprint(call);
    const kept = store.answerTo(key);
    if (!kept) {
      const answer = attempt(work);
      store.keepAnswer(key, request, answer);
      return { ...answer, replayed: false };
    }
    if (kept.request !== request) throw keyReused(key);
    return { status: kept.status, body: kept.body, replayed: true };
  });
}

/** A refusal is thrown before anything is written, so that there is nothing to take back. */
function attempt(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof StripeRefusal) return error.answer;
    throw error;
  }
}

function fingerprint({ method, path, params }: KeyedCall): string {
  const text = JSON.stringify([method, path, params]);
  return createHash("sha256").update(text).digest("hex");
}

function keyReused(key: string): StripeRefusal {
  return new StripeRefusal(400, {
    type: "idempotency_error",
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}
