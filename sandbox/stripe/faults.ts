import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { errorFor } from "./errors.ts";

/** What is answered instead; `hangup` closes the connection without an answer. */
const status = z.union([z.int().min(400).max(599), z.literal("hangup")]);
type Status = z.output<typeof status>;

const failure = z.strictObject({
  method: z.enum(["GET", "POST"]),
  /** The path as registered, such as `/v1/payment_intents/:id/confirm`. */
  path: z.string().startsWith("/v1/"),
  status,
  /** The work is done and only its answer is lost. */
  afterWork: z.boolean().default(false),
  times: z.int().min(1).max(1000).default(1),
});

/** What goes wrong on purpose. Each `POST /_control` replaces all of it; `{}` ends it. */
export const faultSet = z.strictObject({
  /** Every answer of the API comes this much later; the work is done at once. */
  delayMs: z.int().min(0).max(120_000).default(0),
  failNext: failure.optional(),
  webhook: z
    .strictObject({
      /** Where events go instead of `WEBHOOK_URL`. */
      url: z.url().optional(),
      /** How often each event is sent, at the same moment. */
      copies: z.int().min(1).max(100).default(1),
      delayMs: z.int().min(0).max(120_000).default(0),
      /** Of the events whose turn it is, the newest is sent first. */
      newestFirst: z.boolean().default(false),
      /** Nothing is sent until this is false again. */
      hold: z.boolean().default(false),
    })
    .prefault({}),
});

export type FaultSet = z.output<typeof faultSet>;

/** The faults in force; `set` is replaced whole. They end with the process. */
export type Faults = { set: FaultSet };

export function noFaults(): Faults {
  return { set: faultSet.parse({}) };
}

declare module "fastify" {
  interface FastifyRequest {
    /** The status that takes the place of this request's answer once its work is done. */
    lostAnswer: Status | null;
  }
}

/** Makes the API below fail as the faults say. */
export function injectFaults(app: FastifyInstance, faults: Faults): void {
  app.decorateRequest("lostAnswer", null);
  app.addHook("preHandler", async (request, reply) => {
    const fault = takeFault(request, faults);
    if (fault?.afterWork) request.lostAnswer = fault.status;
    else if (fault) return fail(request, reply, fault.status);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    if (faults.set.delayMs > 0) await sleep(faults.set.delayMs, undefined, { ref: false });
    const lost = request.lostAnswer;
    if (lost === null) return payload;
    if (lost === "hangup") {
      request.raw.socket.destroy();
      return payload;
    }
    reply.code(lost);
    return JSON.stringify(errorFor(lost));
  });
}

function takeFault({ method, routeOptions }: FastifyRequest, faults: Faults) {
  const fault = faults.set.failNext;
  if (!fault || fault.method !== method || fault.path !== routeOptions.url) return undefined;
  fault.times -= 1;
  if (fault.times === 0) faults.set = { ...faults.set, failNext: undefined };
  return fault;
}

function fail(request: FastifyRequest, reply: FastifyReply, status: Status) {
  if (status !== "hangup") return reply.code(status).send(errorFor(status));
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}
