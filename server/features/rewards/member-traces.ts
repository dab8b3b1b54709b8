import { type RawBuilder, sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { readKey } from "../../email/opt-outs.ts";
import { keyedHash } from "../../keyed-hash.ts";
import { ownDomainOf } from "./mailbox.ts";

/** A link between one person's accounts: card, browser, own domain or, after deletion, mailbox. */
type Trace = { kind: "card" | "browser" | "domain" | "mailbox"; value: string };

export type Caller = { browser?: string | undefined; network?: string | undefined };

export async function recordCaller(
  tx: Tx,
  { id: memberId, email, browser, network }: Caller & { id: string; email: string },
  at: Date,
): Promise<void> {
  const domain = ownDomainOf(email);
  if (browser !== undefined)
    await recordTrace(tx, { kind: "browser", value: browser }, { memberId, at });
  if (domain !== undefined)
    await recordTrace(tx, { kind: "domain", value: domain }, { memberId, at });
  if (network !== undefined) await insertNetwork(tx, { memberId, network, at }).execute();
}

/** SQL: the keyed hash of a network. Hashing in SQL saves a round trip to read the key. */
export function networkHash(network: string): RawBuilder<string> {
  return sql<string>`encode(sha256(convert_to(
    (select key from invitation_opt_out_key) || ' network ' || ${network}, 'UTF8')), 'base64')`;
}

type Seen = { memberId: string; network: string; at: Date };

export function insertNetwork(tx: Tx, { memberId, network, at }: Seen) {
  return tx
    .insertInto("member_traces")
    .values({
      kind: "network",
      member_id: memberId,
      seen_at: at,
      trace_hash: networkHash(network),
    })
    .onConflict((conflict) =>
      conflict.columns(["kind", "trace_hash", "member_id"]).doUpdateSet({ seen_at: at }),
    );
}

/** Without the database's key, nobody can look up a card or mailbox. */
export async function hashTrace(tx: Tx, { kind, value }: Trace): Promise<string> {
  return keyedHash(await readKey(tx), `${kind} ${value}`);
}

export async function recordTrace(
  tx: Tx,
  trace: Trace,
  { memberId, at }: { memberId: string; at: Date },
): Promise<void> {
  const trace_hash = await hashTrace(tx, trace);
  await tx
    .insertInto("member_traces")
    .values({ kind: trace.kind, trace_hash, member_id: memberId, seen_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (trace.kind === "browser") await forgetOldBrowsers(tx, memberId, trace_hash);
}

/** Callers choose their own browser ids, so only the newest are stored. */
const maxBrowsers = 10;

async function forgetOldBrowsers(tx: Tx, memberId: string, current: string): Promise<void> {
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
    .where("trace_hash", "=", await hashTrace(tx, trace))
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

/** `others`: SQL after `=`, such as `any(…)`. Networks don't count: neighbors share them. */
export function sharesTrace(memberId: RawBuilder<unknown>, others: RawBuilder<unknown>) {
  return sql<boolean>`(exists (
      select from member_traces a join member_traces b using (kind, trace_hash)
      where a.member_id = ${memberId} and b.member_id = ${others} and kind <> 'network')
    or exists (
      select from members a join members b on mailbox_of(b.email) = mailbox_of(a.email)
      where a.id = ${memberId} and b.id = ${others}
        and a.confirmed_at is not null and b.confirmed_at is not null))`;
}
