import type { AccountType } from "#contract/members.ts";
import type { AuthenticatedAccount } from "../../adapters/identity/port.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordOwnChange } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { joinByAddress } from "../rewards/join-by-invitation.ts";
import type { Caller } from "../rewards/member-traces.ts";
import { mailConfirmation } from "./confirmation.ts";
import { refuseName, requireNameWithoutContacts } from "./member-name.ts";
import { findMemberByEmail, requireOwnAddress } from "./members.ts";

type Joining = Caller & { name: string; email: string; accountType: AccountType };

/** A repeated call only returns the same id. Throws `NOT_YOUR_ADDRESS` or `INVALID_INPUT`. */
export async function joinAsMember(deps: Deps, account: AuthenticatedAccount, joining: Joining) {
  requireOwnAddress(account, joining.email);
  const name = allowedName(deps, account, joining.name);
  return await transact(deps.db, "joinAsMember", async (tx) => {
    const insertedId = await insertMember(tx, deps, { ...joining, name, account });
    if (insertedId !== undefined) return { id: insertedId, repeated: false };
    const member = await findMemberByEmail(tx, joining.email);
    if (!member) throw new Error("The member was deleted concurrently.");
    return { id: member.id, repeated: true };
  });
}

/**
 * Creates a buyer for a new account, as after a Google or OpenID sign-in, or updates a member's
 * name. Never changes a role. Throws `NOT_YOUR_ADDRESS` and `INVALID_INPUT`.
 */
export async function upsertMember(
  deps: Deps,
  account: AuthenticatedAccount,
  joining: Omit<Joining, "accountType">,
) {
  const { email } = joining;
  requireOwnAddress(account, email);
  const name = allowedName(deps, account, joining.name);
  return await transact(deps.db, "upsertMember", async (tx) => {
    const buyer = { ...joining, name, account, accountType: "buyer" } as const;
    const upsertedId = await insertMember(tx, deps, buyer);
    if (upsertedId !== undefined) return { matchedCount: 0, modifiedCount: 0, upsertedId };
    const renamed = await tx
      .updateTable("members")
      .set({ name })
      .where("email", "=", email)
      .where("deleted_at", "is", null)
      .where("name", "<>", name)
      .returning("id")
      .executeTakeFirst();
    if (renamed)
      await recordOwnChange(tx, { at: deps.clock.now(), member: renamed.id, verb: "rename" });
    return { matchedCount: 1, modifiedCount: renamed ? 1 : 0, upsertedId: null };
  });
}

/** With Firebase, replaces a name that has contact details: an error would prevent the sign-in. */
function allowedName({ identity }: Deps, account: AuthenticatedAccount, name: string): string {
  if (identity.firebase === null && name !== account.name) requireNameWithoutContacts(name);
  return refuseName(name) ? account.name : name;
}

/** Returns the id; undefined if the address is taken. Mails a link to an unverified address. */
async function insertMember(
  tx: Tx,
  deps: Deps,
  joining: Joining & { account: AuthenticatedAccount },
) {
  const { name, email, accountType, account } = joining;
  const at = deps.clock.now();
  const id = newId(at);
  const confirmed_at = account.emailVerified ? at : null;
  const inserted = await tx
    .insertInto("members")
    .values({ id, name, email, account_type: accountType, created_at: at, confirmed_at })
    .onConflict((conflict) => conflict.column("email").where("deleted_at", "is", null).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return undefined;
  await recordOwnChange(tx, { at, member: id, verb: "join", detail: { accountType } });
  if (!confirmed_at) await mailConfirmation(tx, deps, { id, email });
  const { browser, network } = joining;
  await joinByAddress(tx, { id, email, browser, network }, at);
  return id;
}
