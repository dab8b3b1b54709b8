import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { requestParams } from "../form-encoding.ts";
import { withStatus } from "./balance.ts";
import {
  type ApiResponse,
  errorBodyFor,
  resourceMissing,
  StripeApiError,
  V2Error,
} from "./errors.ts";
import { runIdempotent } from "./idempotency.ts";
import { bareParams, listParams, parseParams } from "./params.ts";
import type { ObjectTypes, Store, StoredObject } from "./store.ts";
import { withReversals } from "./transfers.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

export type HandlerDeps = { store: Store; dispatcher: WebhookDispatcher };

type Request = FastifyRequest<{ Params: { id?: string } }>;
export type Params = z.ZodType<{ expand?: string[] | undefined }>;
export type WriteVerb<S> = (params: z.output<S>, id: string, account: string) => ApiResponse;

/** Runs `verb` once per Idempotency-Key, and sends the events that it created. */
export function writeHandler<S extends Params>(
  { store, dispatcher }: HandlerDeps,
  schema: S,
  verb: WriteVerb<S>,
) {
  return async (request: Request, reply: FastifyReply) => {
    const form = requestParams(request);
    const params = parseParams(schema, form);
    const key = request.headers["idempotency-key"]?.toString();
    const { method, url, stripeAccount, storedFailure: failure } = request;
    const call = { key, method, path: stripeAccount + url, params: form };
    const response = runIdempotent(store, call, () => {
      if (failure && !failure.afterWork) return failure.response;
      const { body, ...rest } = verb(params, request.params.id ?? "", stripeAccount);
      return failure?.response ?? { ...rest, body: expand(store, body, params.expand) };
    });
    dispatcher.wake();
    if (response.delayMs) await sleep(response.delayMs, undefined, { ref: false });
    if (response.replayed) reply.header("idempotent-replayed", "true");
    return reply.code(response.status).send(redactForKey(request, response.body));
  };
}

export function retrieveHandler({ store }: HandlerDeps, kind: keyof ObjectTypes) {
  return async (request: Request) => {
    const params = parseParams(bareParams, requestParams(request));
    const id = request.params.id ?? "";
    const object = store.find(kind, id, request.stripeAccount);
    if (!object) throw resourceMissing(kind, id);
    return expand(store, presented(store, object), params.expand);
  };
}

export function listHandler({ store }: HandlerDeps, kind: keyof ObjectTypes) {
  return async (request: Request) => {
    const params = parseParams(listParams, requestParams(request));
    const { stripeAccount: account, params: path } = request;
    const parent = kind === "transfer_reversal" ? { transfer: path.id } : {};
    const found = store.list(kind, { ...params, ...parent, account, limit: params.limit + 1 });
    const page = {
      object: "list",
      data: found.slice(0, params.limit).map((one) => presented(store, one)),
      has_more: found.length > params.limit,
      url: request.url.split("?")[0],
    };
    return expand(store, page, params.expand);
  };
}

function presented(store: Store, object: StoredObject): object {
  if (object.object === "transfer") return withReversals(store, object);
  return object.object === "balance_transaction" ? withStatus(object) : object;
}

/** Replaces the IDs at paths such as `latest_charge` or `data.charge` with the objects. */
function expand(store: Store, body: object, paths: string[] = []): object {
  return paths.reduce<object>((expanded, path) => follow(store, expanded, path.split(".")), body);
}

function follow(store: Store, node: object, [key = "", ...rest]: string[]): object {
  if (Array.isArray(node)) return node.map((item: object) => follow(store, item, [key, ...rest]));
  const value: unknown = Object.entries(node).find(([name]) => name === key)?.[1];
  const target =
    typeof value === "string" ? referenced(store, value) : (value ?? included(store, node, key));
  if (typeof target !== "object" || target === null) return node;
  return { ...node, [key]: rest.length > 0 ? follow(store, target, rest) : target };
}

function referenced(store: Store, id: string): object | undefined {
  const found = store.findAny(id);
  return found && presented(store, found);
}

/** Returns a charge's ten newest refunds. A charge contains them only if they are expanded. */
function included(store: Store, node: object, key: string): object | undefined {
  if (key !== "refunds" || !("object" in node) || node.object !== "charge") return undefined;
  const charge = "id" in node ? String(node.id) : "";
  const found = store.list("refund", { charge, limit: 11 });
  const url = `/v1/charges/${charge}/refunds`;
  return { object: "list", data: found.slice(0, 10), has_more: found.length > 10, url };
}

export function computedHandler(
  { store }: HandlerDeps,
  compute: (store: Store, account: string) => object,
) {
  return async (request: Request) => {
    parseParams(bareParams, requestParams(request));
    return compute(store, request.stripeAccount);
  };
}

export function setErrorHandlers(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof StripeApiError || error instanceof V2Error) {
      return reply.code(error.response.status).send(error.response.body);
    }
    const status = statusCodeOf(error);
    if (status === 500) process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return reply.code(status).send(errorBodyFor(status));
  });
  app.setNotFoundHandler((request, reply) => {
    const message = `Unrecognized request URL (${request.method}: ${request.url}).`;
    return reply.code(404).send({ error: { type: "invalid_request_error", message } });
  });
}

function statusCodeOf(error: unknown): number {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status === "number" ? status : 500;
}

/** Fields that a publishable key may not read. */
const secretFields = ["metadata", "latest_charge", "amount_received", "amount_capturable"];

function redactForKey({ stripeKeyType }: Request, body: object): object {
  if (stripeKeyType === "secret") return body;
  return JSON.parse(
    JSON.stringify(body, (key, value) => (secretFields.includes(key) ? undefined : value)),
  );
}
