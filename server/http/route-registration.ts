import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { z } from "zod";
import { changesPublicAnswers } from "#contract/all-calls.ts";
import type { Call, Parsed } from "#contract/call.ts";
import { mayReadReplica } from "#contract/call-resources.ts";
import { errorBody } from "#contract/errors.ts";
import type { Tx } from "../db/database.ts";
import type { Page } from "../db/pagination.ts";
import { networkOf } from "../db/rate-limiter.ts";
import { recordWritePosition } from "../db/wal-positions.ts";
import type { Deps } from "../deps.ts";
import type { FairQueue } from "../fair-queue.ts";
import { sendCachedResponse } from "../public-cache/cached-response.ts";
import {
  type Authorization,
  authorizationHook,
  type Caller,
  requireFreshSession,
} from "./authorization.ts";
import { withIdempotencyKey } from "./idempotency.ts";
import { rateLimitHook } from "./rate-limit.ts";
import { uncacheable } from "./security-headers.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    call?: Call;
  }
}

/** A read's `tx` may be on a replica (`replica` in contract/call.ts). A write gets no `tx`. */
type CallRequest<C extends Call> = Parsed<C> & {
  caller: Caller<C["access"]>;
  request: FastifyRequest;
} & (C extends { method: "GET" } ? { tx: Tx } : unknown);

/** A file to send. Unless the file is `personal`, any site may show it, and caches may store it. */
type FileBody = { bytes: Buffer; type: string } & ({ cacheControl: string } | { personal: true });

type CallResponse<C extends Call> = {
  [S in keyof C["answers"]]: C["answers"][S] extends z.ZodType
    ? {
        status: S;
        body: C["answers"][S] extends z.ZodFile ? FileBody : z.output<C["answers"][S]>;
      } & Pick<Partial<Page<never>>, "next" | "following">
    : never;
}[keyof C["answers"]];

type Handler<C extends Call> = (callRequest: CallRequest<C>) => Promise<CallResponse<C>>;

/** Sends an event stream to clients that accept one. May throw only before `startStream`. */
type Stream<C extends Call> = (
  callRequest: CallRequest<C>,
  startStream: () => ServerResponse,
) => void;

type Extras<C extends Call> = {
  stream?: Stream<C>;
  /** Limits concurrent reads, so that waiting reads hold no database connections. */
  turns?: FairQueue;
};

export type Router = Authorization & {
  /** Runs `close` on shutdown, before the server waits for the requests in flight. */
  onClose(close: () => void): void;
  route<C extends Call>(call: C, handler: Handler<C>, extras?: Extras<C>): void;
};

export function ok<B>(body: B): { status: 200; body: B } {
  return { status: 200, body };
}

export function created<B>(body: B): { status: 201; body: B } {
  return { status: 201, body };
}

/** Answers to writes. Each waits for the verb, whose result it leaves out unless it is an id. */
export const answer = {
  async acknowledged(verb: Promise<unknown>) {
    await verb;
    return ok({ acknowledged: true as const });
  },
  async modified(verb: Promise<unknown>) {
    await verb;
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  },
  async deleted(verb: Promise<unknown>) {
    await verb;
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  },
  async inserted(id: Promise<string>) {
    return created({ acknowledged: true as const, insertedId: await id });
  },
  /** A repeated call answers with 200 and the first call's id. */
  async insertedOnce(verb: Promise<{ id: string; repeated: boolean }>) {
    const { id, repeated } = await verb;
    const body = { acknowledged: true as const, insertedId: id };
    return repeated ? ok(body) : created(body);
  },
};

export function listed<T>(page: Page<T>) {
  const { items, next, following } = page;
  return { status: 200 as const, body: items, next, following };
}

/** Paths begin with `/api`, except for calls at the root. */
export function createRouter(app: FastifyInstance, authorization: Authorization): Router {
  const { deps } = authorization;
  return {
    ...authorization,
    onClose(close) {
      app.addHook("preClose", async () => close());
    },
    route(call, handler, extras) {
      const options: RouteOptions = {
        method: call.method,
        url: (call.at === "root" ? "" : "/api") + call.path.replaceAll(/\{(\w+)\}/g, ":$1"),
        schema: routeSchema(call),
        config: { call },
        ...(call.maxBodyBytes !== undefined && { bodyLimit: call.maxBodyBytes }),
        // After the global limit, which counts unauthorized requests, but before the body is read.
        preParsing: [authorizationHook(call, authorization), rateLimitHook(call, deps)],
        handler: (request, reply) => handleCall({ call, handler, deps, ...extras }, request, reply),
      };
      const accept = call.transport && bodyParsers[call.transport];
      if (!accept) return void app.route(options);
      app.register(async (scope) => {
        accept(scope);
        scope.route(options);
      });
    },
  };
}

const bodyParsers = {
  /** Leaves a JSON body as a Buffer, so that a signature over its bytes can be verified. */
  raw(scope: FastifyInstance): void {
    scope.removeContentTypeParser("application/json");
    const keep = async (_: FastifyRequest, body: Buffer) => body;
    scope.addContentTypeParser("application/json", { parseAs: "buffer" }, keep);
  },
  form(scope: FastifyInstance): void {
    const ignore = async () => undefined;
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, ignore);
  },
  multipart: undefined,
};

type Registration<C extends Call> = {
  call: C;
  handler: Handler<C>;
  deps: Deps;
} & Extras<C>;

async function handleCall<C extends Call>(
  registration: Registration<C>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { call, deps } = registration;
  // Before the Idempotency-Key, so that a retry after the confirmation doesn't get the old refusal.
  if (call.refusals?.includes("CONFIRM_PASSWORD")) await requireFreshSession(deps, request);
  if (call.method !== "GET" && !call.transport) return await write(registration, request, reply);
  if (call.method === "GET" && call.access === "public" && call.at !== "root" && !call.uncached)
    return await readCached(registration, request, reply);
  if (registration.stream && acceptsEvents(request))
    return registration.stream(callRequest(request), () => startStream(reply));
  const response = await respond(registration, request);
  reply.code(Number(response.status));
  if (call.answers[200] instanceof z.ZodFile)
    return sendFile(reply, response.body as unknown as FileBody);
  reply.headers({ "cache-control": uncacheable });
  reply.headers(pagingHeaders(registration.call, response, request));
  return reply.send(response.body as unknown);
}

function sendFile(reply: FastifyReply, { bytes, type, ...body }: FileBody) {
  if ("personal" in body) return reply.type(type).header("cache-control", uncacheable).send(bytes);
  return reply
    .type(type)
    .header("cache-control", body.cacheControl)
    .header("cross-origin-resource-policy", "cross-origin")
    .send(bytes);
}

function acceptsEvents({ method, headers }: FastifyRequest): boolean {
  return method === "GET" && headers.accept === eventStream;
}

const eventStream = "text/event-stream";

/** `x-accel-buffering` keeps proxies such as nginx from buffering the events. */
function startStream(reply: FastifyReply): ServerResponse {
  reply.headers({
    "content-type": eventStream,
    "cache-control": uncacheable,
    "x-accel-buffering": "no",
  });
  reply.hijack();
  const headers = Object.entries(reply.getHeaders());
  for (const [name, value] of headers) if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.flushHeaders();
  return reply.raw;
}

/** Call this only after validation and authorization. */
function callRequest<C extends Call>(request: FastifyRequest, tx?: Tx): CallRequest<C> {
  const { params, query, body, caller } = request;
  return { params, query, body, caller, request, ...(tx && { tx }) } as unknown as CallRequest<C>;
}

/** A read may run on a replica. Records a write's WAL position before the response is sent. */
async function respond<C extends Call>(
  { call, handler, turns, deps }: Registration<C>,
  request: FastifyRequest,
): Promise<CallResponse<C>> {
  const read = (tx: Tx) => handler(callRequest(request, tx));
  if (mayReadReplica(call)) {
    const readInTurn = () => deps.replicas.read(writePositionOf(request), read);
    return turns ? await turns.run(networkOf(request.ip), readInTurn) : await readInTurn();
  }
  if (call.method === "GET") return await read(deps.db);
  return await handler(callRequest<C>(request)).finally(() => recordPosition(deps, request));
}

function writePositionOf({ caller }: FastifyRequest) {
  return caller && "writePosition" in caller ? caller.writePosition : undefined;
}

/** Call this even after an error, because the error may follow a commit. */
async function recordPosition({ db, replicas }: Deps, { caller, log }: FastifyRequest) {
  if (!replicas.exist || !caller || !("id" in caller)) return;
  // If the primary is down, reads fail too. After the primary is back, replicas must replay all
  // earlier positions before they serve reads.
  await recordWritePosition(db, caller.id).catch((error: unknown) =>
    log.warn({ err: error }, "the position of a write was not recorded"),
  );
}

async function readCached<C extends Call>(
  registration: Registration<C>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { call, deps } = registration;
  const key = `${call.path} ${JSON.stringify([request.params, request.query])}`;
  const render = async () => {
    const response = await respond(registration, request);
    const { status, body, following } = response;
    const headers = {
      "content-type": "application/json; charset=utf-8",
      ...pagingHeaders(call, response, request),
    };
    const json = reply.serializeInput(body as Record<string, unknown>, String(status)) as string;
    const answer = { params: request.params, body, following };
    const tags = call.method === "GET" ? call.cacheTags?.(answer) : undefined;
    const maxAge = call.method === "GET" ? call.maxAge : undefined;
    return { status: Number(status), headers, body: json, tags: tags ?? [], maxAge };
  };
  const cached = await deps.publicCache.get(key, render, { reader: request.ip });
  const route = request.routeOptions.url ?? "";
  deps.publicCache.addresses.add(request.raw.url ?? "", { key, route });
  return await sendCachedResponse(cached, request, reply);
}

async function write<C extends Call>(
  registration: Registration<C>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { call, deps } = registration;
  const handle = async () => {
    const response = await respond(registration, request);
    return { status: Number(response.status), body: response.body };
  };
  const answering = call.secretAnswer ? handle() : withIdempotencyKey(deps, request, handle);
  const { status, body } = await answering.finally(async () => {
    // Runs even after an error, because the error may follow a commit.
    if (changesPublicAnswers(call)) await deps.publicCache.readOwnWrite();
  });
  return reply.code(status).header("cache-control", uncacheable).send(body);
}

/** A Link to the next page, or the total if one page has everything (contract, "Lists"). */
function pagingHeaders(
  { paged }: Call,
  { body, next }: { body: unknown; next?: string | undefined },
  request: FastifyRequest,
): Record<string, string> {
  if (!paged) return {};
  if (next !== undefined) return { link: nextLink(next, request) };
  const { cursor } = request.query as { cursor?: string };
  return cursor === undefined ? { "x-total-count": String((body as unknown[]).length) } : {};
}

/** Uses only validated values, because the link is cached for all visitors. */
function nextLink(next: string, { routeOptions, params, query }: FastifyRequest): string {
  const given = Object.entries(query as object).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  search.set("cursor", next);
  const path = routeOptions.url?.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  return `<${path}?${search}>; rel="next"`;
}

function routeSchema(call: Call) {
  const { params, query, body, answers } = call;
  return {
    summary: call.summary,
    tags: [call.path.split("/")[1] ?? ""],
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(call.access !== "public" && { security: [{ accessToken: [] }] }),
    response: { ...answers, "4xx": errorBody, "5xx": errorBody },
  };
}
