import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ApiResponse, errorBodyFor } from "./errors.ts";

/** `hangup` closes the connection without a response. */
const status = z.union([z.int().min(400).max(599), z.literal("hangup")]);
type Status = z.output<typeof status>;

const failure = z.strictObject({
  method: z.enum(["GET", "POST"]),
  /** Such as `/v1/payment_intents/:id/confirm`. */
  path: z.string().regex(/^\/v[12]\//),
  status,
  /** Such as `balance_insufficient`. */
  code: z.string().min(1).max(100).optional(),
  /** Whether the work is committed before the failure. */
  afterWork: z.boolean().default(false),
  times: z.int().min(1).max(1000).default(1),
});

/** Each `POST /_control` replaces all faults. `{}` clears them. */
export const faultSet = z.strictObject({
  /** Delays every API response, but not the work. `delayPath` limits the delay to one route. */
  delayMs: z.int().min(0).max(120_000).default(0),
  delayPath: z.string().optional(),
  failNext: failure.optional(),
  /** Holds refund outcomes until `POST /_control/refund-outcomes`. */
  holdRefundOutcomes: z.boolean().default(false),
  webhook: z
    .strictObject({
      /** How many times each event is sent, concurrently. */
      copies: z.int().min(1).max(100).default(1),
      delayMs: z.int().min(0).max(120_000).default(0),
      newestFirst: z.boolean().default(false),
      hold: z.boolean().default(false),
    })
    .prefault({}),
});

export type FaultSet = z.output<typeof faultSet>;

export type Faults = { set: FaultSet };

export function noFaults(): Faults {
  return { set: faultSet.parse({}) };
}

declare module "fastify" {
  interface FastifyRequest {
    /** Replaces the response after the work is committed. */
    lostResponse: Status | null;
    /** Replaces the response and is stored for the idempotency key. */
    storedFailure: { response: ApiResponse; afterWork: boolean } | null;
  }
}

export function injectFaults(app: FastifyInstance, faults: Faults): void {
  app.decorateRequest("lostResponse", null);
  app.decorateRequest("storedFailure", null);
  app.addHook("preHandler", async (request, reply) => {
    const fault = matchFault(request, faults);
    if (!fault) return;
    const { status, code, afterWork } = fault;
    if (status !== "hangup" && isStored(request, fault))
      request.storedFailure = { response: { status, body: errorBodyFor(status, code) }, afterWork };
    else if (afterWork) request.lostResponse = status;
    else return fail(request, reply, fault);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const { delayMs, delayPath = request.routeOptions.url } = faults.set;
    if (delayMs > 0 && delayPath === request.routeOptions.url)
      await sleep(delayMs, undefined, { ref: false });
    const lost = request.lostResponse;
    if (lost === null) return payload;
    if (lost === "hangup") {
      request.raw.socket.destroy();
      return payload;
    }
    reply.code(lost);
    return JSON.stringify(errorBodyFor(lost));
  });
}

function matchFault({ method, routeOptions }: FastifyRequest, faults: Faults) {
  const fault = faults.set.failNext;
  if (!fault || fault.method !== method || fault.path !== routeOptions.url) return undefined;
  fault.times -= 1;
  if (fault.times === 0) faults.set = { ...faults.set, failNext: undefined };
  return fault;
}

type Failure = Pick<z.output<typeof failure>, "status" | "code">;

/** Only version 1 POST requests store failures: a 500, or any failure with a code. */
function isStored({ method, routeOptions }: FastifyRequest, { status, code }: Failure): boolean {
  const isWrite = method === "POST" && routeOptions.url?.startsWith("/v1/") === true;
  return isWrite && (status === 500 || code !== undefined);
}

function fail(request: FastifyRequest, reply: FastifyReply, { status, code }: Failure) {
  if (status !== "hangup") return reply.code(status).send(errorBodyFor(status, code));
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}
