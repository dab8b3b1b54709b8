import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Access } from "./roles.ts";
import "./validation-messages.ts";

export type Limit = { max: number; minutes: number };

/** `account`: the caller's role, name, photo and email confirmation. */
export const resources = [
  "account",
  "secondFactors",
  "sessions",
  "members",
  "categories",
  "products",
  "bookings",
  "payments",
  "reports",
  "views",
  "saved",
  "messages",
  "conversationReports",
  "offers",
  "reviews",
  "reviewReports",
  "reviewEmails",
  "payouts",
  "complaints",
  "invitations",
  "shopSettings",
  "staff",
] as const;

export type Resource = (typeof resources)[number];

/** `path` is relative to `{host}`. */
export type Call = (Read | Write) & {
  path: `/${string}`;
  access: Access;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** A non-JSON body: an uploaded image, a webhook's signed bytes, or ignored form fields. */
  transport?: "multipart" | "raw" | "form";
  /** Maximum JSON body size in bytes, if above the default (server/http/request-limits.ts). */
  maxBodyBytes?: number;
  /** `root`: served at the root of the site instead of under `{host}`. */
  at?: "root";
  /** The call accepts `limit` and `cursor`, and returns one page of a list. */
  paged?: true;
  /** The caller needs a confirmed email address if `CONFIRM_ADDRESSES` is `required`. */
  confirmed?: true;
  /** Works while the shop is closed. server/pages/closed-shop.ts has the rule for other calls. */
  openWhileClosed?: true;
  /** The response is secret, so it is not stored for retries with the same `Idempotency-Key`. */
  secretAnswer?: true;
  /** Rate limit per member. Everyone on the same network shares a limit ten times as high. */
  limit?: Limit;
  answers: { 200?: z.ZodType; 201?: z.ZodType };
  /**
   * Codes besides those for access, validation and rate limits, and those that `call()` adds. If
   * `CONFIRM_PASSWORD` is listed, the server requires a fresh session (decisions/members).
   */
  refusals?: readonly ErrorCode[];
};

type Read = {
  method: "GET";
  reads: readonly Resource[];
  /**
   * May read a replica up to a second behind (decisions/pooler-and-replicas). Not for calls that a
   * deal, payment, conversation or sign-in depends on.
   */
  replica?: true;
  /** For public calls: the tags that make the cached response stale (contract/cache-tags.ts). */
  cacheTags?(answer: CachedAnswer): readonly string[];
  /** For public calls whose response can change without a stale tag (decisions/similar-laptops). */
  maxAge?: MaxAge;
  /** For public calls with too many different responses to cache. */
  uncached?: true;
};

/** The times add up. While the CDN revalidates, it serves the old response for up to 30 s more. */
export type MaxAge = { nodeSeconds: number; cdnSeconds: number };

/** A public response. `following`: the id of the next page's first item, if there is one. */
export type CachedAnswer = { params: unknown; body: unknown; following: string | undefined };

type Write = {
  method: "POST" | "PUT" | "DELETE";
  /** After the call, results of calls that read any of these are stale. */
  changes: readonly Resource[];
  /** The call also changes public responses that `changes` omits and clients needn't refetch. */
  changesPublicAnswers?: true;
};

type Definition<Method> = Omit<Call & (Method extends "GET" ? Read : Write), "method" | "path">;

/** If `{id}` is the only parameter, `params` may be omitted. Paged lists may omit `query`. */
type Defaults<Path, D> = (Path extends `${string}{id}${string}`
  ? { params: D extends { params: infer P } ? P : typeof pathId }
  : unknown) &
  (D extends { paged: true } ? { query: D extends { query: infer Q } ? Q : typeof page } : unknown);

/**
 * Adds the defaults, and the refusals that follow from `{id}` and `confirmed`. Preserves literal
 * types. Omitting `access` is a compile error.
 */
/* @__NO_SIDE_EFFECTS__ */
export function call<
  const Method extends Call["method"],
  const Path extends Call["path"],
  const D extends Definition<Method>,
>(route: `${Method} ${Path}`, definition: D) {
  const [method, path = ""] = route.split(" ");
  const { paged, confirmed, refusals = [] } = definition as Partial<Call>;
  const hasId = path.includes("{id}");
  return {
    method,
    path,
    ...(hasId && { params: pathId }),
    ...(paged && { query: page }),
    ...definition,
    refusals: [
      ...(hasId ? ["NOT_FOUND"] : []),
      ...(confirmed ? ["ADDRESS_NOT_CONFIRMED"] : []),
      ...refusals,
    ],
  } as unknown as D & { method: Method; path: Path } & Defaults<Path, D>;
}

type Input<S> = S extends z.ZodType ? z.input<S> : never;
type Output<S> = S extends z.ZodType ? z.output<S> : never;
type Part<C, K extends string, V> = C extends Record<K, z.ZodType> ? { [P in K]: V } : unknown;

export type Request<C extends Call> = Part<C, "params", Input<C["params"]>> &
  (C extends { query: z.ZodType } ? { query?: Input<C["query"]> } : unknown) &
  Part<C, "body", Input<C["body"]>>;

/** The parsed request that a handler receives. */
export type Parsed<C extends Call> = Part<C, "params", Output<C["params"]>> &
  Part<C, "query", Output<C["query"]>> &
  Part<C, "body", Output<C["body"]>>;

export type Answer<C extends Call> = Output<C["answers"][keyof C["answers"]]>;

/** In lower case, as stored: cache tags, rate limits and checks compare ids as text. */
export const id = z.uuid("That id is not valid.").toLowerCase();

const pathId = z.object({ id });

export const byId = z.object({ _id: id }, "Send the _id of the laptop.");

/** A field that the specification's client sends and the server ignores. */
export const ignored = z.unknown().optional();

const limitMessage = "limit must be a whole number from 1 to 100.";
const limit = z.coerce
  .number(limitMessage)
  .int(limitMessage)
  .min(1, limitMessage)
  .max(100, limitMessage);

export const page = z.object({
  limit: limit.default(24),
  cursor: z.string().max(200, "There is no such page. Start again from the first one.").optional(),
});

/** For a member's own lists. */
export const ownPage = page.extend({
  limit: limit.default(100),
});

/** A time in ISO 8601, in UTC. */
export const date = z.iso.datetime();

export const acknowledged = z.object({ acknowledged: z.literal(true) });
export const inserted = acknowledged.extend({ insertedId: id });
export const deleted = acknowledged.extend({ deletedCount: z.literal(1) });
export const modified = acknowledged.extend({ modifiedCount: z.literal(1) });
