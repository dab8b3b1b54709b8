import { z } from "zod";
import { Refusal } from "./errors.ts";

/** Where a list that is read newest first goes on: after this row. */
export type Position = { at: Date; id: string };

/** One page of a list, and where the next one begins, if there is one. */
export type Page<T> = { items: T[]; next: string | undefined };

const position = z.tuple([z.iso.datetime(), z.uuid()]);

/** Reads a cursor of ours. Refuses anything else. */
export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const parsed = position.safeParse(text.split("|"));
  if (!parsed.success) {
    throw new Refusal("BAD_REQUEST", "That page is not there. Start again from the first one.");
  }
  return { at: new Date(parsed.data[0]), id: parsed.data[1] };
}

/** Makes a page of `limit` rows out of `limit + 1` that were asked for. */
export function toPage<Row, T>(
  rows: Row[],
  {
    limit,
    position,
    show,
  }: { limit: number; position: (row: Row) => Position; show: (row: Row) => T },
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? writeCursor(position(last)) : undefined;
  return { items: items.map(show), next };
}

function writeCursor({ at, id }: Position): string {
  return Buffer.from(`${at.toISOString()}|${id}`).toString("base64url");
}
