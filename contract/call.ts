import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Access } from "./roles.ts";
import "./validation-messages.ts";

/** Rate limit: at most `most` calls within `minutes`. */
export type Limit = { most: number; minutes: number };

/** Resources that calls use. `account`: the caller's role, name, photo and email confirmation. */
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

/**
 * An API call. `path` is relative to `{host}`. `answers` maps each success status to a schema.
 * `refusals` lists error codes, except those for access, validation and rate limits.
 */
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
  /**
   * The call works while the shop is closed. Without this mark, a closed shop refuses calls that
   * are public, begin a membership or need a confirmed address (server/pages/closed-shop.ts).
   */
  openWhileClosed?: true;
  /** The response is secret, so it is not stored for retries with the same Idempotency-Key. */
  secretAnswer?: true;
  /** Rate limit per member. Members on the same network share a limit ten times as high. */
  limit?: Limit;
  answers: { 200?: z.ZodType; 201?: z.ZodType };
  refusals: readonly ErrorCode[];
};

type Read = {
  method: "GET";
  /** The resources that the response contains. */
  reads: readonly Resource[];
  /**
   * The call may read a replica up to a second behind (decisions/pooler-and-replicas). Not for
   * calls that the next step of a deal, payment or sign-in depends on. Not for calls that browsers
   * repeat after a live event (`web/api/live-changes.ts`): a replica may not have the change yet.
   */
  replica?: true;
  /** For public calls: the tags that make the cached response stale (contract/cache-tags.ts). */
  cacheTags?(answer: CachedAnswer): readonly string[];
  /** For public calls whose response can change without a stale tag (decisions/similar-laptops). */
  maxAge?: MaxAge;
  /** For public calls with too many different responses to cache. */
  uncached?: true;
};

/**
 * How long a node and a CDN may cache a response. The two times add up: the CDN may fetch the
 * response just before the node's time ends. While the CDN revalidates, it serves the old response
 * for up to 30 s more.
 */
export type MaxAge = { nodeSeconds: number; cdnSeconds: number };

/** A public response. `following`: the id of the next page's first item, if there is one. */
export type CachedAnswer = { params: unknown; body: unknown; following: string | undefined };

type Write = {
  method: "POST" | "PUT" | "DELETE";
  /** The resources that the call changes. Clients then refetch calls that read any of them. */
  changes: readonly Resource[];
  /** The call also changes public responses, but too little for clients to refetch them. */
  changesPublicAnswers?: true;
};

/** Defines a call and preserves its literal types. Omitting `access` is a compile error. */
export function call<const C extends Call>(definition: C): C {
  return definition;
}

type Input<S> = S extends z.ZodType ? z.input<S> : never;
type Output<S> = S extends z.ZodType ? z.output<S> : never;
type Part<C, K extends string, V> = C extends Record<K, z.ZodType> ? { [P in K]: V } : unknown;

/** The request that a caller sends: `params`, `query` and `body`, if the call has them. */
export type Request<C extends Call> = Part<C, "params", Input<C["params"]>> &
  (C extends { query: z.ZodType } ? { query?: Input<C["query"]> } : unknown) &
  Part<C, "body", Input<C["body"]>>;

/** The parsed request that a handler receives. */
export type Parsed<C extends Call> = Part<C, "params", Output<C["params"]>> &
  Part<C, "query", Output<C["query"]>> &
  Part<C, "body", Output<C["body"]>>;

/** The body of a successful response, whatever its status. */
export type Answer<C extends Call> = Output<C["answers"][keyof C["answers"]]>;

/** A UUID. */
export const id = z.uuid("That id is not valid.");

export const byId = z.object({ _id: id }, "Send the _id of the laptop.");

/** A field that the specification's client sends and the server ignores. */
export const ignored = z.unknown().optional();

const limitMessage = "limit must be a whole number from 1 to 100.";
const limit = z.coerce
  .number(limitMessage)
  .int(limitMessage)
  .min(1, limitMessage)
  .max(100, limitMessage);

/** Keyset pagination: `limit` (1–100, default 24) and `cursor`. */
export const page = z.object({
  limit: limit.default(24),
  cursor: z.string().max(200, "There is no such page. Start again from the first one.").optional(),
});

/** Like `page`, but with a default `limit` of 100, for a member's own lists. */
export const ownPage = page.extend({
  limit: limit.default(100),
});

/** A time in ISO 8601, in UTC. */
export const date = z.iso.datetime();

export const acknowledged = z.object({ acknowledged: z.literal(true) });
export const inserted = acknowledged.extend({ insertedId: id });
export const deleted = acknowledged.extend({ deletedCount: z.literal(1) });
export const modified = acknowledged.extend({ modifiedCount: z.literal(1) });
