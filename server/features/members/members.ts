import { sql } from "kysely";
import type { AccountType, User } from "#contract/members.ts";
import type { AuthenticatedAccount } from "../../adapters/identity/port.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { mailConfirmation } from "./confirmation.ts";

/** The member with this id, while they are one. */
export async function findMember(tx: Tx, id: string): Promise<Member | undefined> {
  const row = await members(tx).where("id", "=", id).executeTakeFirst();
  return row && toMember(row);
}

/** The member with this address (as `contract/text.ts` writes one), while they are one. */
export async function findMemberByEmail(tx: Tx, email: string): Promise<Member | undefined> {
  const row = await members(tx).where("email", "=", email).executeTakeFirst();
  return row && toMember(row);
}

/** The member whose address was proven. Refuses `NOT_YOUR_ADDRESS`, and `NOT_A_MEMBER` before they joined. */
export async function findMemberOf(
  deps: Deps,
  proof: AuthenticatedAccount,
  email: string,
): Promise<Member> {
  requireOwnAddress(proof, email);
  const member = await findMemberByEmail(deps.db, email);
  if (!member) throw new AppError("NOT_A_MEMBER", "Finish signing up first.");
  return member;
}

type Joining = { name: string; email: string; accountType: AccountType };

/**
 * Makes whoever proved this address a member, once; asked again it changes nothing and answers the
 * same id. Refuses `NOT_YOUR_ADDRESS`.
 */
export async function joinAsMember(deps: Deps, proof: AuthenticatedAccount, joining: Joining) {
  requireOwnAddress(proof, joining.email);
  return await transact(deps.db, "joinAsMember", async (tx) => {
    const insertedId = await insertMember(tx, deps, { ...joining, proof });
    if (insertedId !== undefined) return { id: insertedId, repeated: false };
    const member = await findMemberByEmail(tx, joining.email);
    if (!member) throw new Error("a member that was there a moment ago is gone");
    return { id: member.id, repeated: true };
  });
}

/**
 * Makes whoever proved this address a member as a buyer, or refreshes a member's name; never changes a
 * role. Refuses `NOT_YOUR_ADDRESS`.
 */
export async function upsertMember(
  deps: Deps,
  proof: AuthenticatedAccount,
  { name, email }: Joining,
) {
  requireOwnAddress(proof, email);
  return await transact(deps.db, "upsertMember", async (tx) => {
    const upsertedId = await insertMember(tx, deps, {
      ...{ name, email, proof },
      accountType: "buyer",
    });
    if (upsertedId !== undefined) return { matchedCount: 0, modifiedCount: 0, upsertedId };
    const renamed = await tx
      .updateTable("members")
      .set({ name })
      .where("email", "=", email)
      .where("deleted_at", "is", null)
      .where("name", "<>", name)
      .returning("id")
      .executeTakeFirst();
    if (renamed) {
      const at = deps.clock.now();
      await recordAudit(tx, {
        at,
        actor: renamed.id,
        verb: "rename",
        object: "member",
        objectId: renamed.id,
      });
    }
    return { matchedCount: 1, modifiedCount: renamed ? 1 : 0, upsertedId: null };
  });
}

/** Inserts a member, and asks them to confirm an address not proven yet; undefined where the address is taken. */
async function insertMember(
  tx: Tx,
  deps: Deps,
  joining: Joining & { proof: AuthenticatedAccount },
) {
  const { name, email, accountType, proof } = joining;
  const at = deps.clock.now();
  const id = newId(at);
  const confirmed_at = proof.emailVerified ? at : null;
  const inserted = await tx
    .insertInto("members")
    .values({ id, name, email, account_type: accountType, created_at: at, confirmed_at })
    .onConflict((conflict) => conflict.column("email").where("deleted_at", "is", null).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return undefined;
  await recordAudit(tx, {
    at,
    actor: id,
    verb: "join",
    object: "member",
    objectId: id,
    detail: { accountType },
  });
  if (!confirmed_at) await mailConfirmation(tx, deps, { id, email });
  return id;
}

function requireOwnAddress(proof: AuthenticatedAccount, email: string): void {
  if (proof.email === email) return;
  throw new AppError("NOT_YOUR_ADDRESS", `You are signed in as ${proof.email}; use that address.`);
}

/** Buyers or sellers, newest first; searched, those whose name or e-mail begins so. Admins are neither. */
export async function listMembers(
  tx: Tx,
  { accountType, search = "" }: { accountType: AccountType; search?: string | undefined },
  paging: Paging,
): Promise<Page<User>> {
  const all = members(tx).where("account_type", "=", accountType).where("is_admin", "=", false);
  const query = search === "" ? all : all.where(beginsWith(search.toLowerCase()));
  const order = { at: "created_at", id: "id" } as const;
  return await newestFirst(query, { ...order, ...paging }, (row) => ({
    _id: row.id,
    name: row.name,
    email: row.email,
    accountType: row.account_type,
    verify: row.verify,
    suspended: row.suspended_at !== null,
  }));
}

function beginsWith(start: string) {
  return sql<boolean>`(starts_with(email, ${start}) or starts_with(lower(name), ${start}))`;
}

/**
 * Verifies a seller, or takes it back; what is stored must be what the admin saw. Refuses `STALE`,
 * `NOT_FOUND`.
 */
export async function toggleSellerStatus(
  deps: Deps,
  admin: Member,
  { id, email, verify }: { id: string; email: string; verify: boolean },
) {
  return await transact(deps.db, "toggleSellerStatus", async (tx) => {
    const toggled = await sellers(tx, { id, email })
      .set({ verify: !verify })
      .where("verify", "=", verify)
      .executeTakeFirst();
    if (toggled.numUpdatedRows === 0n) {
      if (!(await isSellerThere(tx, { id, email })))
        throw new AppError("NOT_FOUND", "There is no seller with this id and email.");
      throw new AppError(
        "STALE",
        "Somebody changed this seller a moment ago. Look again before you change it.",
      );
    }
    const verb = verify ? "unverify" : "verify";
    await recordAudit(tx, {
      at: deps.clock.now(),
      actor: admin.id,
      verb,
      object: "member",
      objectId: id,
    });
    return { verify: !verify };
  });
}

type SellerKey = { id: string; email: string };

function sellers(tx: Tx, { id, email }: SellerKey) {
  return tx
    .updateTable("members")
    .where("id", "=", id)
    .where("email", "=", email)
    .where("account_type", "=", "seller")
    .where("deleted_at", "is", null);
}

async function isSellerThere(tx: Tx, { id, email }: SellerKey): Promise<boolean> {
  return (
    (await members(tx)
      .where("id", "=", id)
      .where("email", "=", email)
      .where("account_type", "=", "seller")
      .executeTakeFirst()) !== undefined
  );
}

function members(tx: Tx) {
  return tx
    .selectFrom("members")
    .select(["id", "name", "email", "account_type", "is_admin", "verify"])
    .select(["confirmed_at", "suspended_at"])
    .where("deleted_at", "is", null);
}

type Row = Awaited<ReturnType<ReturnType<typeof members>["executeTakeFirstOrThrow"]>>;

function toMember({ is_admin, account_type, confirmed_at, suspended_at, ...rest }: Row): Member {
  const { id, name, email, verify } = rest;
  return {
    id,
    name,
    email,
    isAdmin: is_admin,
    isSeller: account_type === "seller",
    verify,
    confirmed: confirmed_at !== null,
    isSuspended: suspended_at !== null,
  };
}
