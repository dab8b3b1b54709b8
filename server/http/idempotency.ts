import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { type IdempotencySteps, idempotencySteps, type Tx } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import { networkOf } from "../db/rate-limiter.ts";
import type { Deps } from "../deps.ts";
import { AmbiguousHold, AppError } from "../errors.ts";

type StoredResponse = { status: number; body: unknown };

/**
 * Gives a retry with the same key and body the first response, even after a crash
 * (decisions/idempotency). Throws `KEY_REUSED` if the key was used for another request.
 */
export async function withIdempotencyKey(
  deps: Deps,
  request: FastifyRequest,
  handle: () => Promise<StoredResponse>,
): Promise<StoredResponse> {
  const { caller } = request;
  const key = request.headers["idempotency-key"];
  if (key === undefined || caller === undefined) return await handle();
  if (typeof key !== "string" || key.length === 0 || key.length > 255) {
    throw new AppError("BAD_REQUEST", "An Idempotency-Key has 1 to 255 characters.");
  }
  const stored = await findOrInsert(deps, { caller: idOf(caller), key, request });
  if (stored.status !== null) return replayResponse(stored.status, stored.body);
  try {
    const response = await idempotencySteps.run(stepsOf(stored.id), handle);
    await storeResponse(deps.db, stored.id, response);
    return response;
  } catch (error) {
    if (error instanceof AppError && isFinal(error)) await storeResponse(deps.db, stored.id, error);
    throw error;
  }
}

/** Whether to store the error for retries: not if a retry may succeed, as after a rate limit. */
function isFinal({ status }: AppError): boolean {
  return status < 500 && status !== 429;
}

function replayResponse(status: number, body: unknown): StoredResponse {
  if (status < 400) return { status, body };
  const { code, message, fields, holds } = body as AppError & Partial<AmbiguousHold>;
  throw holds ? new AmbiguousHold(message, holds) : new AppError(code, message, fields);
}

type StoredRequest = { id: string; fingerprint: string; status: number | null; body: unknown };

/** Limits new keys, each of which is stored for a day. */
export const keysPerMember = { name: "Idempotency-Key", max: 1_000, minutes: 24 * 60 };
export const keysPerAddress = {
  ...keysPerMember,
  name: "Idempotency-Key by address",
  max: 10 * keysPerMember.max,
};

async function findOrInsert(
  deps: Deps,
  { caller, key, request }: Omit<NewKey, "fingerprint">,
): Promise<StoredRequest> {
  const fingerprint = fingerprintOf(request);
  const stored =
    (await find(deps.db, caller, key)) ??
    (await insert(deps, { caller, key, fingerprint, request }));
  if (stored.fingerprint === fingerprint) return stored;
  throw new AppError(
    "KEY_REUSED",
    "This Idempotency-Key was used for another request. Use a new one for each.",
  );
}

async function find(tx: Tx, caller: string, key: string): Promise<StoredRequest | undefined> {
  return await tx
    .selectFrom("idempotency_requests")
    .select(["id", "fingerprint", "status", "body"])
    .where("caller", "=", caller)
    .where("key", "=", key)
    .executeTakeFirst();
}

type NewKey = { caller: string; key: string; fingerprint: string; request: FastifyRequest };

async function insert(
  { db, clock, rateLimiter }: Deps,
  { request, ...values }: NewKey,
): Promise<StoredRequest> {
  await rateLimiter.consume(keysPerMember, values.caller);
  await rateLimiter.consume(keysPerAddress, networkOf(request.ip));
  const at = clock.now();
  await db
    .insertInto("idempotency_requests")
    .values({ id: newId(at), created_at: at, ...values })
    .onConflict((conflict) => conflict.constraint("idempotency_requests_one_per_key").doNothing())
    .execute();
  const stored = await find(db, values.caller, values.key);
  if (!stored) throw new Error("the Idempotency-Key was removed while it was in use");
  return stored;
}

function idOf(caller: NonNullable<FastifyRequest["caller"]>): string {
  return "id" in caller ? caller.id : `identity ${caller.uid}`;
}

function fingerprintOf({ method, url, body }: FastifyRequest): string {
  return createHash("sha256")
    .update(`${method} ${url} ${JSON.stringify(body ?? null)}`)
    .digest("hex");
}

function stepsOf(requestId: string): IdempotencySteps {
  const begun = new Set<string>();
  return {
    begin(verb) {
      if (begun.has(verb)) throw new Error(`One request does "${verb}" twice: give each a name.`);
      begun.add(verb);
    },
    async find(tx, verb) {
      return await tx
        .selectFrom("idempotency_steps")
        .select("result")
        .where("request_id", "=", requestId)
        .where("verb", "=", verb)
        .executeTakeFirst();
    },
    async store(tx, verb, result) {
      await tx
        .insertInto("idempotency_steps")
        .values({ request_id: requestId, verb, result: JSON.stringify(result ?? null) })
        .execute();
    },
  };
}

async function storeResponse(
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
