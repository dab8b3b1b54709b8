import { type SelectQueryBuilder, type SqlBool, type StringReference, sql } from "kysely";
import { z } from "zod";
import { AppError } from "../errors.ts";

export type Paging = { limit: number; cursor?: string | undefined };

/** `following`: the id of the first item on the next page. */
export type Page<T> = { items: T[]; next: string | undefined; following?: string | undefined };

type Position = { at: Date; id: string };

type Order<DB, TB extends keyof DB> = {
  at: StringReference<DB, TB>;
  id: StringReference<DB, TB>;
};

/** Throws `BAD_REQUEST` for an invalid cursor. */
export async function newestFirst<DB, TB extends keyof DB, Row, T>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { at, id, limit, cursor }: Order<DB, TB> & Paging,
  show: (row: Row) => T,
): Promise<Page<T>> {
  const [atColumn, idColumn] = [sql.ref<Date>(at), sql.ref<string>(id)];
  const after = readCursor(cursor);
  const remaining = after
    ? query.where(sql<SqlBool>`(${atColumn}, ${idColumn}) < (${after.at}, ${after.id})`)
    : query;
  const rows = await remaining
    .select([atColumn.as("position_at"), idColumn.as("position_id")])
    .orderBy(atColumn, "desc")
    .orderBy(idColumn, "desc")
    .limit(limit + 1)
    .$castTo<Row & { position_at: Date; position_id: string }>()
    .execute();
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next =
    rows.length > limit && last
      ? writeCursor({ at: last.position_at, id: last.position_id })
      : undefined;
  return { items: items.map(show), next, following: rows[limit]?.position_id };
}

const position = z.tuple([z.iso.datetime(), z.uuid()]);

function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const parsed = position.safeParse(text.split("|"));
  if (!parsed.success) {
    throw new AppError("BAD_REQUEST", "There is no such page. Start again from the first one.");
  }
  return { at: new Date(parsed.data[0]), id: parsed.data[1] };
}

function writeCursor({ at, id }: Position): string {
  return Buffer.from(`${at.toISOString()}|${id}`).toString("base64url");
}

const lowestId = "00000000-0000-0000-0000-000000000000";

const idsAtOnce = 100;

/**
 * Works on the ids in `column`, in ascending order. Continues with the next id if `work` fails, and
 * throws the first error at the end.
 */
export async function forEachId<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  column: StringReference<DB, TB>,
  work: (id: string) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const id = sql.ref<string>(column);
  const ids = query.select(id.as("id")).orderBy(id).limit(idsAtOnce).$castTo<{ id: string }>();
  for (let after: string | undefined = lowestId; after !== undefined; ) {
    const rows = await ids.where(sql<SqlBool>`${id} > ${after}`).execute();
    for (const row of rows) await work(row.id).catch((error: unknown) => errors.push(error));
    after = rows.at(-1)?.id;
  }
  if (errors.length > 0) throw errors[0];
}
