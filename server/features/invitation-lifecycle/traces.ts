import { createHmac } from "node:crypto";
import type { Tx } from "../../db/database.ts";
import { readKey } from "../email/unsubscribe-links.ts";

/** What a person leaves behind with every account of theirs: their card, browser or, once deleted, mailbox. */
export type Trace = { kind: "card" | "browser" | "mailbox"; value: string };

/** Keyed, so that nobody can look up a card or mailbox without the database. */
export async function hashTrace(tx: Tx, { kind, value }: Trace): Promise<string> {
  return createHmac("sha256", await readKey(tx))
    .update(`${kind} ${value}`)
    .digest("base64url");
}

/** Records a trace of a member. Returns whether another member had left it before. */
export async function recordTrace(
  tx: Tx,
  trace: Trace,
  { memberId, at }: { memberId: string; at: Date },
): Promise<boolean> {
  const trace_hash = await hashTrace(tx, trace);
  await tx
    .insertInto("member_traces")
    .values({ kind: trace.kind, trace_hash, member_id: memberId, seen_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return await isTraceOfAnother(tx, trace, memberId);
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
