import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { z } from "zod";
import type { Call, Parsed } from "#contract/call.ts";
import { errorBody } from "#contract/errors.ts";
import { changesPublicAnswers } from "#contract/table.ts";
import { withChangeListener } from "../db/committed-changes.ts";
import type { Page } from "../db/pagination.ts";
import type { Deps } from "../deps.ts";
import { sendCachedResponse } from "../public-cache/send-cached-response.ts";
import type { Tokens } from "./access-tokens.ts";
import { authorizationHook, type Caller } from "./authorization.ts";
import { withIdempotencyKey } from "./idempotency.ts";
import { rateLimitHook } from "./rate-limit.ts";

/** What a handler is given. */
export type CallRequest<C extends Call> = Parsed<C> & {
  caller: Caller<C["access"]>;
  request: FastifyRequest;
};

/** What a handler answers: a status of the call with its body, and the cursor of a further page. */
export type CallResponse<C extends Call> = {
  [S in keyof C["answers"]]: C["answers"][S] extends z.ZodType
    ? { status: S; body: z.output<C["answers"][S]>; next?: string | undefined }
    : never;
}[keyof C["answers"]];

export type Handler<C extends Call> = (incoming: CallRequest<C>) => Promise<CallResponse<C>>;

/** What a feature's `routes.ts` is given to register its calls with. */
export type Router = {
  deps: Deps;
  tokens: Tokens;
  route<C extends Call>(call: C, handler: Handler<C>): void;
};

/** An answer with status 200. */
export function ok<B>(body: B): { status: 200; body: B } {
  return { status: 200, body };
}

/** An answer with status 201. */
export function created<B>(body: B): { status: 201; body: B } {
  return { status: 201, body };
}

/** A page of a list, with status 200. */
export function listed<T>(page: Page<T>) {
  return { status: 200 as const, body: page.items, next: page.next };
}

/** Registers calls of the contract on `app`, below `prefix` unless they stand at the root. */
export function createRouter(
  app: FastifyInstance,
  { deps, tokens, prefix }: { deps: Deps; tokens: Tokens; prefix: string },
): Router {
  return {
    deps,
    tokens,
    route(call, handler) {
      const options: RouteOptions = {
        method: call.method,
        url: (call.at === "root" ? "" : prefix) + call.path.replaceAll(/\{(\w+)\}/g, ":$1"),
        schema: routeSchema(call),
        // Behind the flood limit, which counts whoever is refused too, and before the body is read.
        preParsing: [authorizationHook(call, deps, tokens), rateLimitHook(call, deps)],
        handler: (request, reply) => respond({ call, handler, deps }, request, reply),
      };
      if (call.transport === "raw")
        app.register(async (scope) => void takeBytes(scope).route(options));
      else app.route(options);
    },
  };
}

/** A scope in which a JSON body arrives as the bytes it was sent in, for a signature over them. */
function takeBytes(scope: FastifyInstance): FastifyInstance {
  scope.removeContentTypeParser("application/json");
  const take = { parseAs: "buffer" as const };
  scope.addContentTypeParser(
    "application/json",
    take,
    async (_: FastifyRequest, body: Buffer) => body,
  );
  return scope;
}

type Serving<C extends Call> = { call: C; handler: Handler<C>; deps: Deps };

async function respond<C extends Call>(
  serving: Serving<C>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { method, access, at, transport } = serving.call;
  if (method !== "GET" && !transport) return await write(serving, request, reply);
  if (method === "GET" && access === "public" && at !== "root")
    return await readKept(serving, request, reply);
  const answered = await serving.handler(incoming(request));
  reply.code(Number(answered.status));
  reply.headers({ "cache-control": "no-store", ...pagingOf(serving.call, answered, request) });
  return reply.send(answered.body as unknown);
}

/** The schemas of the call have parsed these three, and its gate has let the caller in. */
function incoming<C extends Call>(request: FastifyRequest): CallRequest<C> {
  const { params, query, body, caller } = request;
  return { params, query, body, caller, request } as unknown as CallRequest<C>;
}

/** What is public is answered from what is kept. */
async function readKept<C extends Call>(
  { call, handler, deps }: Serving<C>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = `${call.path} ${JSON.stringify([request.params, request.query])}`;
  const answer = await deps.publicCache.get(key, async () => {
    const answered = await handler(incoming(request));
    const { status, body } = answered;
    const headers = {
      "content-type": "application/json; charset=utf-8",
      ...pagingOf(call, answered, request),
    };
    const json = reply.serializeInput(body as Record<string, unknown>, String(status)) as string;
    return { status: Number(status), headers, body: json };
  });
  return sendCachedResponse(answer, request, reply);
}

async function write<C extends Call>(
  { call, handler, deps }: Serving<C>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  // Other nodes are notified by the database; whoever wrote here reads their own write at once.
  const onChange = () => changesPublicAnswers(call) && deps.publicCache.clear();
  const { status, body } = await withChangeListener(onChange, () =>
    withIdempotencyKey(deps, request, async () => {
      const made = await handler(incoming(request));
      return { status: Number(made.status), body: made.body };
    }),
  );
  return reply.code(status).header("cache-control", "no-store").send(body);
}

/** Where a list goes on, or how long it is where all of it is on this page (contract, "Lists"). */
function pagingOf(
  { paged }: Call,
  { body, next }: { body: unknown; next?: string | undefined },
  request: FastifyRequest,
): Record<string, string> {
  if (!paged) return {};
  if (next !== undefined) return { link: linkTo(next, request) };
  const { cursor } = request.query as { cursor?: string };
  return cursor === undefined ? { "x-total-count": String((body as unknown[]).length) } : {};
}

/** Made of what was understood of the path and the query, so a kept answer carries nothing a visitor made up. */
function linkTo(next: string, { routeOptions, params, query }: FastifyRequest): string {
  const asked = Object.entries(query as object).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)]));
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
