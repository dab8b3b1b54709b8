import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Access } from "./roles.ts";
import "./validation-messages.ts";

/** At most `most` times within `minutes`. */
export type Limit = { most: number; minutes: number };

/** What calls read and change. `account`: the caller's own role, name, photo and confirmation. */
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
] as const;

export type Resource = (typeof resources)[number];

/**
 * One call of the API. `path` is below `{host}`; `answers` maps each success status to its schema;
 * `refusals` are the error codes besides those of access, validation and rate limits.
 */
export type Call = (Read | Write) & {
  path: `/${string}`;
  access: Access;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** For a body that is not JSON: an uploaded image, the signed bytes of a webhook, or form fields that are ignored. */
  transport?: "multipart" | "raw" | "form";
  /** Served at the root instead of below `{host}`. */
  at?: "root";
  /** A list with `limit` and `cursor`. */
  paged?: true;
  /** Needs a confirmed email address, if `CONFIRM_ADDRESSES` is `required`. */
  confirmed?: true;
  /** A write whose answer is a secret: it is not stored for retries with the same Idempotency-Key. */
  secretAnswer?: true;
  /** Per member; an IP address may make ten times as many calls. */
  limit?: Limit;
  answers: { 200?: z.ZodType; 201?: z.ZodType };
  refusals: readonly ErrorCode[];
};

type Read = {
  method: "GET";
  /** The resources in its answer. */
  reads: readonly Resource[];
  /**
   * May be answered by a replica of the database, up to a second late (decisions/pooler-and-replicas). Never a call that
   * the next step of a deal, payment or sign-in depends on, nor one that the browser repeats after a live event
   * (`web/api/live-changes.ts`): another node may not know of the change yet.
   */
  replica?: true;
  /** Of a public call: the tags that make its cached answer stale (contract/cache-tags.ts). */
  cacheTags?(answer: CachedAnswer): readonly string[];
  /** Of a public call whose answer may change in a way that its tags don't name (decisions/similar-laptops). */
  maxAge?: MaxAge;
  /** Of a public call whose answers are too many to keep: each request is answered anew. */
  uncached?: true;
};

/**
 * So long an answer is kept at most: by a node, and then by a CDN that got it from the node at the end of that, and for
 * 30 s more while the CDN asks for it anew.
 */
export type MaxAge = { nodeSeconds: number; cdnSeconds: number };

/** A public answer. `following`: the first item of the next page, on which the link to that page depends. */
export type CachedAnswer = { params: unknown; body: unknown; following: string | undefined };

type Write = {
  method: "POST" | "PUT" | "DELETE";
  /** The resources it changes: clients then refetch the calls that read one of them. */
  changes: readonly Resource[];
  /** It changes public answers too, but too little for a client to refetch what it shows. */
  changesPublicAnswers?: true;
};

/** Defines a call, keeping its literal types. Without an access word it does not compile. */
export function call<const C extends Call>(definition: C): C {
  return definition;
}

type Input<S> = S extends z.ZodType ? z.input<S> : never;
type Output<S> = S extends z.ZodType ? z.output<S> : never;
type Part<C, K extends string, V> = C extends Record<K, z.ZodType> ? { [P in K]: V } : unknown;

/** What a caller sends: `params`, `query` and `body`, as far as the call has them. */
export type Request<C extends Call> = Part<C, "params", Input<C["params"]>> &
  (C extends { query: z.ZodType } ? { query?: Input<C["query"]> } : unknown) &
  Part<C, "body", Input<C["body"]>>;

/** What a handler receives: the same, parsed. */
export type Parsed<C extends Call> = Part<C, "params", Output<C["params"]>> &
  Part<C, "query", Output<C["query"]>> &
  Part<C, "body", Output<C["body"]>>;

/** The body of a successful answer, whatever its status. */
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

/** As `page`, with default 100, for a member's own lists. */
export const ownPage = page.extend({
  limit: limit.default(100),
});

/** ISO 8601 in UTC. */
export const date = z.iso.datetime();

export const acknowledged = z.object({ acknowledged: z.literal(true) });
export const inserted = acknowledged.extend({ insertedId: id });
export const deleted = acknowledged.extend({ deletedCount: z.literal(1) });
export const modified = acknowledged.extend({ modifiedCount: z.literal(1) });
