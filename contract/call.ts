import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Access } from "./roles.ts";
import "./validation-messages.ts";

/** How often something may be done: so many times within so many minutes. */
export type Limit = { most: number; minutes: number };

/** What calls read and change. `account` is the caller's own role, name, photo and confirmation. */
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
] as const;

export type Resource = (typeof resources)[number];

/**
 * One call of the wire contract. `path` is the specification's, below `{host}`; `answers` maps each
 * success status to what it answers; `refusals` are the codes a caller can meet beyond those of the
 * access word, the body and the limits.
 */
export type Call = (Read | Write) & {
  path: `/${string}`;
  access: Access;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** How the body travels when it is not JSON: the image of an upload, or bytes whose signature counts. */
  transport?: "multipart" | "raw";
  /** Answered at the root of the server instead of below `{host}`. */
  at?: "root";
  /** A list that is read in pages by `limit` and `cursor`. */
  paged?: true;
  /** Asks for a confirmed email address, where those are required (`CONFIRM_ADDRESSES`). */
  confirmed?: true;
  /** How often one member may make it; one address may ten times as often. */
  limit?: Limit;
  answers: { 200?: z.ZodType; 201?: z.ZodType };
  refusals: readonly ErrorCode[];
};

type Read = {
  method: "GET";
  /** What its answer is made of. */
  reads: readonly Resource[];
};

type Write = {
  method: "POST" | "PUT" | "DELETE";
  /** What it changes: cached answers of calls that read one of these are stale once it has run. */
  changes: readonly Resource[];
};

/** What a call changes; nothing where it only reads. */
export function changesOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? [] : call.changes;
}

/** What a call's answer is made of; nothing where the call is a write. */
export function readsOf(call: Call): readonly Resource[] {
  return call.method === "GET" ? call.reads : [];
}

/** Writes a call down, keeping its literal types. A call without an access word does not compile. */
export function call<const C extends Call>(definition: C): C {
  return definition;
}

type Input<S> = S extends z.ZodType ? z.input<S> : never;
type Output<S> = S extends z.ZodType ? z.output<S> : never;
type Part<C, K extends string, V> = C extends Record<K, z.ZodType> ? { [P in K]: V } : unknown;

/** What a caller sends: `{ params, query, body }`, each only where the call has it. */
export type Request<C extends Call> = Part<C, "params", Input<C["params"]>> &
  (C extends { query: z.ZodType } ? { query?: Input<C["query"]> } : unknown) &
  Part<C, "body", Input<C["body"]>>;

/** What a handler is given: the same, parsed. */
export type Parsed<C extends Call> = Part<C, "params", Output<C["params"]>> &
  Part<C, "query", Output<C["query"]>> &
  Part<C, "body", Output<C["body"]>>;

/** What a successful call answers, whichever its status. */
export type Answer<C extends Call> = Output<C["answers"][keyof C["answers"]]>;

/** An id on the wire: a UUID, version 7 where we made it. */
export const id = z.uuid("That id is not valid.");

export const byId = z.object({ _id: id }, "Say which laptop it is about, by its _id.");

/** What the specification's client sends although the server knows it better: taken, and never looked at. */
export const ignored = z.unknown().optional();

const limitMessage = "limit has to be a whole number from 1 to 100.";
const limit = z.coerce
  .number(limitMessage)
  .int(limitMessage)
  .min(1, limitMessage)
  .max(100, limitMessage);

/** `?limit=` (1–100, 24 unless told) and `?cursor=` page a list by keyset. */
export const page = z.object({
  limit: limit.default(24),
  cursor: z.string().max(200, "That page is not there. Start again from the first one.").optional(),
});

/** As `page`, for a member's own lists: 100 unless told. */
export const ownPage = page.extend({
  limit: limit.default(100),
});

/** ISO 8601 in UTC. */
export const date = z.iso.datetime();

export const acknowledged = z.object({ acknowledged: z.literal(true) });
export const inserted = acknowledged.extend({ insertedId: id });
export const deleted = acknowledged.extend({ deletedCount: z.literal(1) });
export const modified = acknowledged.extend({ modifiedCount: z.literal(1) });
