import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { decodeForm } from "../form-encoding.ts";
import { closeAccount, createAccount, findAccount, requireConnect, withParts } from "./accounts.ts";
import { unixSeconds } from "./clock.ts";
import { type ApiResponse, badRequest } from "./errors.ts";
import {
  createDestination,
  deleteDestination,
  presentDestination,
  updateDestination,
} from "./event-destinations.ts";
import type { HandlerDeps } from "./handlers.ts";
import { runIdempotent } from "./idempotency.ts";
import { createLink } from "./onboarding.ts";
import * as accepted from "./params.ts";

type Request = FastifyRequest<{ Params: { id?: string } }>;
type Verb<S> = (params: z.output<S>, request: Request) => ApiResponse;

/** Serves a part of Stripe's API version 2: accounts, links, event destinations. */
export function v2Routes(app: FastifyInstance, deps: HandlerDeps): void {
  const { store } = deps;
  const post = <S extends z.ZodType>(path: string, schema: S, verb: Verb<S>) =>
    app.post(path, write(deps, schema, verb));
  parseJsonBodies(app);

  post("/core/accounts", accepted.createAccountParams, (params) => createAccount(store, params));
  app.get("/core/accounts", async (request: Request) => {
    requireConnect(store);
    const { limit } = parse(accepted.listAccountsParams, query(request));
    const found = store.list("v2.core.account", { limit });
    return page(found.map((account) => withParts(account, [])));
  });
  app.get("/core/accounts/:id", async (request: Request) => {
    const { include } = parse(accepted.retrieveAccountParams, query(request));
    return withParts(findAccount(store, request.params.id ?? ""), include);
  });
  post("/core/accounts/:id/close", accepted.closeAccountParams, (_, { params }) =>
    closeAccount(store, params.id ?? "", unixSeconds()),
  );
  post("/core/account_links", accepted.createLinkParams, (params, { host }) =>
    createLink(store, params, `http://${host}`),
  );

  const at = "/core/event_destinations";
  post(at, accepted.createDestinationParams, (params) => createDestination(store, params));
  app.get(at, async (request: Request) => {
    const { limit, include } = parse(accepted.listDestinationParams, query(request));
    const found = store.list("v2.core.event_destination", { limit });
    return page(found.map((one) => presentDestination(one, include)));
  });
  post(`${at}/:id`, accepted.updateDestinationParams, (changes, { params }) => {
    const changed = updateDestination(store, params.id ?? "", changes);
    return { status: 200, body: presentDestination(changed, changes.include) };
  });
  for (const verb of ["enable", "disable"] as const)
    post(`${at}/:id/${verb}`, accepted.noParams, (_, { params }) => {
      const changed = updateDestination(store, params.id ?? "", { status: `${verb}d` });
      return { status: 200, body: presentDestination(changed, []) };
    });
  app.delete(
    `${at}/:id`,
    write(deps, accepted.noParams, (_, { params }) => deleteDestination(store, params.id ?? "")),
  );
}

/** Parses JSON bodies. A call without parameters may have an empty body. */
function parseJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string) => {
      try {
        return body === "" ? {} : JSON.parse(body);
      } catch {
        throw badRequest("invalid_json", "The body is not JSON.");
      }
    },
  );
}

function write<S extends z.ZodType>({ store, dispatcher }: HandlerDeps, schema: S, verb: Verb<S>) {
  return async (request: Request, reply: FastifyReply) => {
    const params = parse(schema, request.body ?? {});
    const key = request.headers["idempotency-key"]?.toString();
    const call = { key, method: request.method, path: request.url, params: Object(request.body) };
    const response = runIdempotent(store, call, () => verb(params, request));
    dispatcher.wake();
    return reply.code(response.status).send(response.body);
  };
}

/** Decodes a query, in which `include[0]=identity` is a list. */
function query(request: Request): object {
  const form = decodeForm(request.url.split("?")[1] ?? "");
  const values = Object.entries(form).map(([name, value]) => [
    name,
    typeof value === "string" ? value : Object.values(value),
  ]);
  return Object.fromEntries(values);
}

function parse<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest("invalid_fields", `${issue?.path.join(".")}: ${issue?.message}`);
}

function page(data: object[]): object {
  return { data, next_page_url: null, previous_page_url: null };
}
