import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Tx } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import { networkOf } from "../db/rate-limits.ts";
import { type Replay, replay } from "../db/replay.ts";
import type { Deps } from "../deps.ts";
import { AppError, violatesConstraint } from "../errors.ts";

/** An answer as it is kept: what is sent again, to the letter. */
export type StoredResponse = { status: number; body: unknown };

/**
 * Answers a write that may carry an Idempotency-Key: asked again with the same key and body it answers
 * what it answered first, also across a crash. Refuses `KEY_REUSED` for the same key with another body.
 */
export async function withIdempotencyKey(
  deps: Deps,
  request: FastifyRequest,
  answer: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const key = request.headers["idempotency-key"];
  if (key === undefined || request.caller === undefined) return await answer();
  if (typeof key !== "string" || key.length === 0 || key.length > 255) {
    throw new AppError("BAD_REQUEST", "An Idempotency-Key has 1 to 255 characters.");
  }
  const asked = await remember(deps, { key, request });
  if (asked.status !== null) return recalled(asked.status, asked.body);
  try {
    const answered = await answerTwice(() => replay.run(replayOf(asked.id), answer));
    await keepAnswer(deps.db, asked.id, answered);
    return answered;
  } catch (error) {
    if (error instanceof AppError && isFinal(error)) {
      const { status, code, message, fields } = error;
      await keepAnswer(deps.db, asked.id, { status, body: { code, message, fields } });
    }
    throw error;
  }
}

/** A refusal that asking again can't change by itself. */
function isFinal({ status }: AppError): boolean {
  return status < 500 && status !== 429;
}

function recalled(status: number, body: unknown): StoredResponse {
  if (status < 400) return { status, body };
  const { code, message, fields } = body as Pick<AppError, "code" | "message" | "fields">;
  throw new AppError(code, message, fields);
}

/** Where two askings of one request meet, the second finds the first one's verb kept and follows it. */
async function answerTwice(answer: () => Promise<StoredResponse>): Promise<StoredResponse> {
  try {
    return await answer();
  } catch (error) {
    if (!violatesConstraint(error, "idempotency_steps_pkey")) throw error;
    return await answer();
  }
}

type Asked = { id: string; fingerprint: string; status: number | null; body: unknown };

/** How many keys one member may use: each is kept for a day. An address may use ten times as many. */
export const keysPerMember = { name: "Idempotency-Key", most: 1_000, minutes: 24 * 60 };
const keysPerAddress = {
  ...keysPerMember,
  name: "Idempotency-Key by address",
  most: 10 * keysPerMember.most,
};

async function remember(
  deps: Deps,
  { key, request }: { key: string; request: FastifyRequest },
): Promise<Asked> {
  const caller = callerOf(request);
  const fingerprint = fingerprintOf(request);
  const asked =
    (await find(deps.db, caller, key)) ?? (await keep(deps, { caller, key, fingerprint, request }));
  if (asked.fingerprint === fingerprint) return asked;
  throw new AppError(
    "KEY_REUSED",
    "This Idempotency-Key was used for another request. Use a new one for each.",
  );
}

async function find(tx: Tx, caller: string, key: string): Promise<Asked | undefined> {
  return await tx
    .selectFrom("idempotency_requests")
    .select(["id", "fingerprint", "status", "body"])
    .where("caller", "=", caller)
    .where("key", "=", key)
    .executeTakeFirst();
}

type NewKey = { caller: string; key: string; fingerprint: string; request: FastifyRequest };

async function keep(
  { db, clock, rateLimiter }: Deps,
  { request, ...asked }: NewKey,
): Promise<Asked> {
  await rateLimiter.consume(keysPerMember, asked.caller);
  await rateLimiter.consume(keysPerAddress, networkOf(request.ip));
  const at = clock.now();
  await db
    .insertInto("idempotency_requests")
    .values({ id: newId(at), created_at: at, ...asked })
    .onConflict((conflict) => conflict.constraint("idempotency_requests_one_per_key").doNothing())
    .execute();
  const kept = await find(db, asked.caller, asked.key);
  if (!kept) throw new Error("an Idempotency-Key was removed while it was being used");
  return kept;
}

function callerOf({ caller }: FastifyRequest): string {
  if (!caller) throw new Error("a key belongs to a caller");
  return "id" in caller ? caller.id : `identity ${caller.uid}`;
}

function fingerprintOf({ method, url, body }: FastifyRequest): string {
  return createHash("sha256")
    .update(`${method} ${url} ${JSON.stringify(body ?? null)}`)
    .digest("hex");
}

function replayOf(requestId: string): Replay {
  const begun = new Set<string>();
  return {
    begin(verb) {
      if (begun.has(verb)) throw new Error(`One request does "${verb}" twice: give each a name.`);
      begun.add(verb);
    },
    async recall(tx, verb) {
      return await tx
        .selectFrom("idempotency_steps")
        .select("result as answered")
        .where("request_id", "=", requestId)
        .where("verb", "=", verb)
        .executeTakeFirst();
    },
    async keep(tx, verb, answered) {
      const body = JSON.stringify(answered ?? null);
      await tx
        .insertInto("idempotency_steps")
        .values({ request_id: requestId, verb, result: body })
        .execute();
    },
  };
}

async function keepAnswer(
  tx: Tx,
  requestId: string,
  { status, body }: StoredResponse,
): Promise<void> {
  await tx
    .updateTable("idempotency_requests")
    .set({ status, body: JSON.stringify(body ?? null) })
    .where("id", "=", requestId)
    .where("status", "is", null)
    .execute();
}
