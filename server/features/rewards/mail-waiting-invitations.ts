import { sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { listAdmins } from "../staff/change-staff-role.ts";
import { invitationsToCheckEmail } from "./emails.ts";

const dayMs = 24 * 3_600_000;

/** SQL: whether an invitation or its reward waits for an admin. */
export const waitsForAdmin = sql<boolean>`(invitations.state = 'review'
  or (waits_since is not null and reward_approved is null and invitations.state = 'joined'))`;

/**
 * Emails the admins who moderate if an invitation, a reward, or a discounted purchase's payout has
 * begun to wait since the last email. Sends at most one email a day.
 */
export async function tellAdminsOfInvitations(deps: Deps): Promise<void> {
  const { db, clock, config, emailQueue } = deps;
  if (!(await hasNews(db))) return;
  const at = clock.now();
  await transact(db, "tellAdminsOfInvitations", async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('email about invitations', 0))`.execute(
      tx,
    );
    const last = await tx
      .selectFrom("invitations")
      .select("admins_told_at")
      .where("admins_told_at", ">", new Date(at.getTime() - dayMs))
      .limit(1)
      .executeTakeFirst();
    if (last || !(await hasNews(tx))) return;
    const waiting = await countWaiting(tx);
    await tx.updateTable("invitations").set({ admins_told_at: at }).where(waitsForAdmin).execute();
    const url = `${config.publicUrl}/dashboard/invitations`;
    for (const admin of await listAdmins(tx, "moderation")) {
      const email = invitationsToCheckEmail(admin, { ...waiting, url });
      await emailQueue.add(tx, { kind: "payment", ...email });
    }
  });
}

/** SQL: the time at which the invitation or reward began to wait. */
const begunAt = sql<Date>`case when invitations.state = 'review' then review_since else waits_since end`;

async function hasNews(tx: Tx): Promise<boolean> {
  const found = await waitingRows(tx)
    .where(({ or, eb, ref }) =>
      or([
        eb("admins_told_at", "is", null),
        eb("settlements.decided_at", ">", ref("invitations.admins_told_at")),
        eb(begunAt, ">", ref("invitations.admins_told_at")),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Selects waiting invitations. Joins `settlements` only if a payout waits for the decision. */
function waitingRows(tx: Tx) {
  return tx
    .selectFrom("invitations")
    .leftJoin("settlements", (join) =>
      join
        .onRef("settlements.booking_id", "=", "discount_booking_id")
        .on("settlements.releasing", "=", true)
        .on("invitations.state", "=", "review"),
    )
    .select("invitations.id")
    .where(waitsForAdmin);
}

async function countWaiting(tx: Tx) {
  const { all, payouts } = await waitingRows(tx)
    .clearSelect()
    .select(({ fn }) => [
      fn.countAll<string>().as("all"),
      fn.count<string>("settlements.booking_id").as("payouts"),
    ])
    .executeTakeFirstOrThrow();
  return { invitations: Number(all), payouts: Number(payouts) };
}
