import { type RawBuilder, sql } from "kysely";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { hasLiveTransfer } from "./money-moves.ts";

/**
 * SQL on `settlements`: whether the seller isn't suspended, and their account could receive money
 * when it was last read.
 */
export const canBePaid = sql<boolean>`exists (
  select from payout_accounts a join members m on m.id = a.member_id
  where a.member_id = settlements.seller_id and a.transfers_active and m.suspended_at is null)`;

/**
 * SQL on `settlements` with waiting money: whether an admin must decide who gets the money, because
 * the seller can't receive it. In the first payout round, the payment must be `UNCLAIMED_DAYS` old.
 */
export function isUnclaimed({
  clock,
  config,
}: Pick<Deps, "clock" | "config">): RawBuilder<boolean> {
  const old = new Date(clock.now().getTime() - config.settlement.unclaimedMs);
  return sql<boolean>`((settlements.round > 1 or settlements.paid_at <= ${old})
    and not ${canBePaid} and not ${hasLiveTransfer})`;
}

/**
 * Returns a single-use link to the provider's form. Opens an account if the seller has no open one.
 * Throws `PROVIDER_UNAVAILABLE`.
 */
export async function connectAccount(deps: Deps, seller: Member): Promise<string> {
  const known = await findAccount(deps.db, seller.id);
  const isOpen = known !== undefined && (await deps.cards.readSellerAccount(known)) !== undefined;
  const accountId = isOpen ? known : await createAccount(deps, seller, known);
  const page = `${deps.config.publicUrl}/dashboard/payouts`;
  const { url } = await deps.cards.createOnboardingLink({
    accountId,
    returnUrl: `${page}?connected=1`,
    refreshUrl: `${page}?connect=again`,
  });
  return url;
}

/** `closed`: the account that the new one replaces. */
async function createAccount(
  deps: Deps,
  { id, email }: Member,
  closed: string | undefined,
): Promise<string> {
  // The key names the replaced account, so repeating a lost call finds the account it created.
  const order = { memberId: id, email, idempotencyKey: `account:${id}:${closed ?? "first"}` };
  const { accountId } = await deps.cards.createSellerAccount(order);
  const at = deps.clock.now();
  const account = { account_id: accountId, transfers_active: false, payouts_active: false };
  await transact(deps.db, "createAccount", async (tx) => {
    await recordIdentityCheck(tx, id, null);
    await tx
      .insertInto("payout_accounts")
      .values({ ...account, member_id: id, created_at: at })
      .onConflict((conflict) => conflict.column("member_id").doUpdateSet(account))
      .execute();
    const by = { at, actor: id, object: "member", objectId: id } as const;
    await recordAudit(tx, { ...by, verb: "connect account", detail: { accountId } });
  });
  return accountId;
}

async function findAccount(tx: Tx, memberId: string): Promise<string | undefined> {
  const account = await tx
    .selectFrom("payout_accounts")
    .select("account_id")
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return account?.account_id;
}

/** Rereads a seller's account, because returning from the provider's page proves nothing. */
export async function refreshAccount(deps: Deps, memberId: string): Promise<void> {
  const accountId = await findAccount(deps.db, memberId);
  if (accountId !== undefined) await readAccount(deps, accountId);
}

/** Locks sales that may wait for an account, before the account is locked (decisions/database). */
async function lockWaitingSales(tx: Tx, accountId: string): Promise<void> {
  await tx
    .selectFrom("bookings")
    .innerJoin("settlements", "settlements.booking_id", "bookings.id")
    .innerJoin("payout_accounts", "payout_accounts.member_id", "settlements.seller_id")
    .select("bookings.id")
    .where("payout_accounts.account_id", "=", accountId)
    .where("settlements.closed_at", "is", null)
    .orderBy("bookings.id")
    .forUpdate(["bookings", "settlements"])
    .execute();
}

/** Reads an account from the provider and stores its state. A missing account is inactive. */
export async function readAccount(deps: Deps, accountId: string): Promise<void> {
  const account = await deps.cards.readSellerAccount(accountId);
  const read = {
    transfers_active: account?.transfersActive ?? false,
    payouts_active: account?.payoutsEnabled ?? false,
  };
  // The provider pays out only to people whose identity it has checked.
  const isChecked =
    read.transfers_active && read.payouts_active && account?.hasRequirementsDue === false;
  await transact(deps.db, `readAccount ${accountId}`, async (tx) => {
    const at = deps.clock.now();
    await lockWaitingSales(tx, accountId);
    const owner = await lockOwner(tx, accountId);
    if (owner === undefined) return;
    const before = await tx
      .selectFrom("payout_accounts")
      .select(["transfers_active", "payouts_active"])
      .where("account_id", "=", accountId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) return;
    await tx
      .updateTable("payout_accounts")
      .set({ ...read, read_at: at })
      .where("account_id", "=", accountId)
      .execute();
    await recordIdentityCheck(tx, owner, isChecked ? at : null);
    const isSame =
      before.transfers_active === read.transfers_active &&
      before.payouts_active === read.payouts_active;
    if (isSame) return;
    const detail = { transfers: read.transfers_active, payouts: read.payouts_active };
    const by = { at, actor: null, object: "member", objectId: owner } as const;
    await recordAudit(tx, { ...by, verb: "read account", detail });
    if (read.transfers_active) await retryTransfers(tx, owner);
  });
}

/** Locks the account's owner. Members are locked before rows about them (decisions/database). */
async function lockOwner(tx: Tx, accountId: string): Promise<string | undefined> {
  const owner = await tx
    .selectFrom("members")
    .innerJoin("payout_accounts", "member_id", "members.id")
    .select("members.id")
    .where("account_id", "=", accountId)
    .forNoKeyUpdate("members")
    .executeTakeFirst();
  return owner?.id;
}

/** Stores when the shop first saw that the member's identity was checked. Null clears the time. */
async function recordIdentityCheck(tx: Tx, memberId: string, since: Date | null): Promise<void> {
  await tx
    .updateTable("members")
    .set({ identity_checked_at: since })
    .where("id", "=", memberId)
    .where("identity_checked_at", since ? "is" : "is not", null)
    .execute();
}

async function retryTransfers(tx: Tx, sellerId: string): Promise<void> {
  await tx
    .updateTable("settlements")
    .set({ retry_at: null })
    .where("seller_id", "=", sellerId)
    .where("closed_at", "is", null)
    .execute();
}
