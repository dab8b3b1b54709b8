import { sql } from "kysely";
import type { Invitation, OwnInvitations } from "#contract/invitations.ts";
import type { ShownInvitationState } from "#contract/life-cycle.ts";
import { toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { creditLots, readCreditChanges, toCreditChanges } from "./credits.ts";
import { linkOf, readCode } from "./invitation-codes.ts";
import { type Caller, recordCaller } from "./member-traces.ts";

/**
 * Reads the member's invitation link, code and credit. Records the caller's browser and network,
 * because friends who share either with the inviter need approval.
 */
export async function readOwnInvitations(
  deps: Deps,
  { id, email }: Member,
  from: Caller,
): Promise<OwnInvitations> {
  const at = deps.clock.now();
  return await transact(deps.db, "readOwnInvitations", async (tx) => {
    const code = await readCode(tx, id, at);
    await recordCaller(tx, { id, email, ...from }, at);
    return { link: linkOf(deps, code), code, credit: await readCredit(tx, deps, id) };
  });
}

async function readCredit(
  tx: Tx,
  { config }: Pick<Deps, "config">,
  memberId: string,
): Promise<OwnInvitations["credit"]> {
  const changes = await readCreditChanges(tx, memberId);
  const lots = creditLots(changes, config.invitations.creditMs);
  const [oldest] = lots;
  const next = oldest && {
    amount: toDollars(oldest.cents),
    expiresAt: oldest.expiresAt.toISOString(),
  };
  const cents = lots.reduce((sum, lot) => sum + lot.cents, 0);
  return { balance: toDollars(cents), next: next ?? null, changes: toCreditChanges(changes) };
}

export async function listInvitations(
  tx: Tx,
  { id }: Pick<Member, "id">,
  paging: Paging,
): Promise<Page<Invitation>> {
  const query = tx
    .selectFrom("invitations")
    .select(["id", "shown_as", "state", "invited_at"])
    .select(
      sql<string>`(
        select coalesce(sum(-cents), 0) from ledger_journals j join ledger_entries on journal_id = j.id
        where account = 'credits' and idempotency_key = 'credit_earned:' || invitations.id || ':purchase'
      )`.as("earned_cents"),
    )
    .where("inviter_id", "=", id);
  const order = { at: "invited_at", id: "id" } as const;
  return await newestFirst(query, { ...order, ...paging }, (row) => ({
    _id: row.id,
    shownAs: row.shown_as,
    state: shownState(row),
    invitedAt: row.invited_at.toISOString(),
    earned: toDollars(Number(row.earned_cents)),
  }));
}

/** Hides that an invitation is in review or refused, so that nobody learns how to cheat. */
function shownState({ state }: { state: string }) {
  const isHidden = state === "review" || state === "refused";
  return isHidden ? "joined" : (state as ShownInvitationState);
}

/** Reads the code, the invitations, the credit and the number of traces for the data export. */
export async function readInvitationData(tx: Tx, deps: Pick<Deps, "config">, memberId: string) {
  const { traces } = await tx
    .selectFrom("member_traces")
    .select(({ fn }) => fn.countAll<string>().as("traces"))
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  const own = await tx
    .selectFrom("invitation_codes")
    .select("code")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return {
    invitationCode: own?.code ?? null,
    invitations: (await listInvitations(tx, { id: memberId }, { limit: 100_000 })).items,
    credit: await readCredit(tx, deps, memberId),
    traces: Number(traces),
  };
}
