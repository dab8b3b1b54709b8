import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { type Answer, errorFor, noSuch, StripeRefusal } from "./errors.ts";
import { expand } from "./expand.ts";
import { paramsOf } from "./form.ts";
import { answerOnce } from "./idempotency.ts";
import { API_VERSION } from "./objects.ts";
import { listParams, parseParams, retrieveParams } from "./params.ts";
import type { Kinds, Store } from "./store.ts";
import type { Courier } from "./webhooks.ts";

export type AnsweringDeps = { store: Store; courier: Courier };

type Request = FastifyRequest<{ Params: { id?: string } }>;
type Params = z.ZodType<{ expand?: string[] | undefined }>;

/** A call that changes something: once for each idempotency key, its news on the way. */
export function writes<S extends Params>(
  { store, courier }: AnsweringDeps,
  schema: S,
  verb: (params: z.output<S>, id: string) => Answer,
) {
  return async (request: Request, reply: FastifyReply) => {
    const form = paramsOf(request);
    const params = parseParams(schema, form);
    const key = request.headers["idempotency-key"]?.toString();
    const call = { key, method: request.method, path: request.url, params: form };
    const answer = answerOnce(store, call, () => {
      const { body, ...rest } = verb(params, request.params.id ?? "");
      return { ...rest, body: expand(store, body, params.expand) };
    });
    courier.wake();
    if (answer.lateBy) await sleep(answer.lateBy, undefined, { ref: false });
    if (key !== undefined) reply.header("idempotency-key", key);
    if (answer.replayed) reply.header("idempotent-replayed", "true");
    return reply.code(answer.status).send(forCaller(request, answer.body));
  };
}

/** A call that answers one object by its id. */
export function reads({ store }: AnsweringDeps, kind: keyof Kinds) {
  return async (request: Request) => {
    const params = parseParams(retrieveParams, paramsOf(request));
    const id = request.params.id ?? "";
    const object = store.find(kind, id);
    if (!object) throw noSuch(kind, id);
    return forCaller(request, expand(store, object, params.expand));
  };
}

/** A call that answers the objects of a kind, the newest first, a page at a time. */
export function lists({ store }: AnsweringDeps, kind: keyof Kinds) {
  return async (request: Request) => {
    const params = parseParams(listParams, paramsOf(request));
    const found = store.list(kind, { ...params, limit: params.limit + 1 });
    const page = {
      object: "list",
      data: found.slice(0, params.limit),
      has_more: found.length > params.limit,
      url: request.routeOptions.url,
    };
    return expand(store, page, params.expand);
  };
}

/** Answers what goes wrong in the calls below as Stripe does. */
export function answerErrors(app: FastifyInstance): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("request-id", `req_${randomBytes(8).toString("hex")}`);
    reply.header("stripe-version", API_VERSION);
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof StripeRefusal) {
      return reply.code(error.answer.status).send(error.answer.body);
    }
    const status = statusOf(error);
    if (status === 500) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return reply.code(status).send(errorFor(status));
  });
  app.setNotFoundHandler((request, reply) => {
    const message = `Unrecognized request URL (${request.method}: ${request.url}).`;
    return reply.code(404).send({ error: { type: "invalid_request_error", message } });
  });
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status === "number" ? status : 500;
}

/** What a browser must not see of an intent, though it may pay it. */
const serverOnly = ["metadata", "latest_charge", "amount_received", "amount_capturable"];

function forCaller({ stripeCaller }: Request, body: object): object {
  if (stripeCaller === "server") return body;
  return JSON.parse(
    JSON.stringify(body, (key, value) => (serverOnly.includes(key) ? undefined : value)),
  );
}
