import { type Expression, type SqlBool, sql } from "kysely";
import type { AccountType, User } from "#contract/members.ts";
import type { AuthenticatedAccount } from "../../adapters/identity/port.ts";
import type { Tx } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { WalPosition } from "../../db/wal-positions.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { toVerification } from "./verify-seller.ts";

/** Returns `writePosition` too: only replicas that have reached it may serve the member's reads. */
export async function findMember(
  tx: Tx,
  id: string,
  condition: Expression<SqlBool>,
): Promise<Member | undefined> {
  const row = await members(tx)
    .select(({ selectFrom }) =>
      selectFrom("write_positions")
        .select(({ ref }) => sql<WalPosition>`${ref("position")}::text`.as("position"))
        .whereRef("member_id", "=", "members.id")
        .as("writePosition"),
    )
    .where("id", "=", id)
    .where(condition)
    .executeTakeFirst();
  return row && { ...toMember(row), writePosition: row.writePosition ?? undefined };
}

/** `email` must be normalized (`contract/text.ts`). */
export async function findMemberByEmail(tx: Tx, email: string): Promise<Member | undefined> {
  const row = await members(tx).where("email", "=", email).executeTakeFirst();
  return row && toMember(row);
}

/** Whether a deleted member had the address, which is blocked until it is erased after 30 days. */
export async function isAddressBlocked(tx: Tx, email: string): Promise<boolean> {
  const deleted = await tx
    .selectFrom("members")
    .select("id")
    .where("email", "=", email)
    .where("deleted_at", "is not", null)
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Throws `NOT_YOUR_ADDRESS`. Throws `NOT_A_MEMBER` for an unfinished sign-up. */
export async function findMemberOf(
  deps: Deps,
  account: AuthenticatedAccount,
  email: string,
): Promise<Member> {
  requireOwnAddress(account, email);
  const member = await findMemberByEmail(deps.db, email);
  if (!member) throw new AppError("NOT_A_MEMBER", "Finish signing up first.");
  return member;
}

export function requireOwnAddress(account: AuthenticatedAccount, email: string): void {
  if (account.email === email) return;
  throw new AppError(
    "NOT_YOUR_ADDRESS",
    `You are signed in as ${account.email}; use that address.`,
  );
}

/** Lists members who aren't admins, newest first. `search`: the start of a name or email. */
export async function listMembers(
  tx: Tx,
  { accountType, search = "" }: { accountType: AccountType; search?: string | undefined },
  paging: Paging,
): Promise<Page<User>> {
  const all = members(tx)
    .select(["identity_checked_at", "verified_at", "verification_note"])
    .select(({ selectFrom }) =>
      selectFrom("members as admin")
        .select("admin.name")
        .whereRef("admin.id", "=", "members.verified_by")
        .as("verified_by_name"),
    )
    .where(hasRole[accountType])
    .where("is_admin", "=", false);
  const query = search === "" ? all : all.where(startsWith(search.toLowerCase()));
  const order = { at: "created_at", id: "id" } as const;
  return await newestFirst(query, { ...order, ...paging }, (row) => ({
    _id: row.id,
    name: row.name,
    email: row.email,
    accountType: row.account_type,
    alsoBuys: row.alsoBuys,
    verify: row.verify,
    verification: toVerification(row),
    suspended: row.suspended_at !== null,
  }));
}

/** Conditions that must match the indexes `members_account_type_idx` and `members_buyers_idx`. */
const hasRole: Record<AccountType, Expression<SqlBool>> = {
  seller: sql<boolean>`account_type = 'seller'`,
  buyer: sql<boolean>`(account_type = 'buyer' or also_buys)`,
};

function startsWith(start: string) {
  return sql<boolean>`(starts_with(email, ${start}) or starts_with(lower(name), ${start}))`;
}

function members(tx: Tx) {
  return tx
    .selectFrom("members")
    .select(["id", "name", "email", "verify", "account_type", "confirmed_at", "suspended_at"])
    .select(["is_admin as isAdmin", "staff_role as staffRole", "also_buys as alsoBuys"])
    .where("deleted_at", "is", null);
}

type Row = Awaited<ReturnType<ReturnType<typeof members>["executeTakeFirstOrThrow"]>>;

function toMember({ account_type, confirmed_at, suspended_at, ...rest }: Row): Member {
  return {
    ...rest,
    isSeller: account_type === "seller",
    confirmed: confirmed_at !== null,
    isSuspended: suspended_at !== null,
  };
}
