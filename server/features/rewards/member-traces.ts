import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { ownDomainOf } from "./email-addresses.ts";

/** A possible link between one person's accounts. `mailbox`: of a deleted account. */
type Trace = { kind: "card" | "browser" | "domain" | "mailbox" | "network"; value: string };

export type Caller = { browser?: string | undefined; network?: string | undefined };

export async function recordCaller(
  tx: Tx,
  { id: memberId, email, browser, network }: Caller & { id: string; email: string },
  at: Date,
): Promise<void> {
  const domain = ownDomainOf(email);
  const seen = { memberId, at };
  if (browser !== undefined) await recordTrace(tx, { kind: "browser", value: browser }, seen);
  if (domain !== undefined) await recordTrace(tx, { kind: "domain", value: domain }, seen);
  if (network !== undefined) await recordTrace(tx, { kind: "network", value: network }, seen);
}

/** SQL: a hash with a key that is stored in the database. */
export function traceHash({ kind, value }: Trace): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to(
    (select key from invitation_opt_out_key) || ${` ${kind} ${value}`}, 'UTF8')), 'base64')`;
}

type Seen = { memberId: string; at: Date };

export async function recordTrace(tx: Tx, trace: Trace, seen: Seen): Promise<void> {
  await insertTrace(tx, trace, seen).execute();
  if (trace.kind === "browser") await forgetOldBrowsers(tx, seen.memberId, traceHash(trace));
}

/**
 * Builds an insert, which can be part of another statement. Later sightings update only a network's
 * `seen_at`.
 */
export function insertTrace(tx: Tx, trace: Trace, { memberId, at }: Seen) {
  const { kind } = trace;
  return tx
    .insertInto("member_traces")
    .values({ kind, trace_hash: traceHash(trace), member_id: memberId, seen_at: at })
    .onConflict((conflict) => {
      const known = conflict.columns(["kind", "trace_hash", "member_id"]);
      return kind === "network" ? known.doUpdateSet({ seen_at: at }) : known.doNothing();
    });
}

/** Per member. Callers choose their own browser ids, so only the newest are stored. */
const maxBrowsers = 10;

async function forgetOldBrowsers(
  tx: Tx,
  memberId: string,
  current: RawBuilder<string>,
): Promise<void> {
  await sql`
    delete from member_traces where kind = 'browser' and member_id = ${memberId} and trace_hash in (
      select trace_hash from member_traces where kind = 'browser' and member_id = ${memberId}
      order by trace_hash = ${current} desc, seen_at desc offset ${sql.lit(maxBrowsers)})`.execute(
    tx,
  );
}

export async function isTraceOfAnother(tx: Tx, trace: Trace, memberId: string): Promise<boolean> {
  const other = await tx
    .selectFrom("member_traces")
    .select("member_id")
    .where("kind", "=", trace.kind)
    .where("trace_hash", "=", traceHash(trace))
    .where("member_id", "<>", memberId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function isSamePerson(tx: Tx, memberId: string, others: string[]): Promise<boolean> {
  const { rows } = await sql<{ same: boolean }>`select ${sharesTrace(
    sql`${memberId}::uuid`,
    sql`any(${others}::uuid[])`,
  )} as same`.execute(tx);
  return rows[0]?.same ?? false;
}

/**
 * SQL: whether members share a confirmed mailbox or a trace other than a network, which neighbors
 * share. `others`: SQL after `=`, such as `any(…)`.
 */
export function sharesTrace(memberId: RawBuilder<unknown>, others: RawBuilder<unknown>) {
  return sql<boolean>`(exists (
      select from member_traces a join member_traces b using (kind, trace_hash)
      where a.member_id = ${memberId} and b.member_id = ${others} and kind <> 'network')
    or exists (
      select from members a join members b on mailbox_of(b.email) = mailbox_of(a.email)
      where a.id = ${memberId} and b.id = ${others}
        and a.confirmed_at is not null and b.confirmed_at is not null))`;
}
