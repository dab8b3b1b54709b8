import { record } from "../../audit.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { Refusal } from "../../errors.ts";
import { endHold } from "../bookings/holds.ts";
import type { Member } from "./members.ts";

/** How often a member may be found to hold something more. */
const patience = 4;

/**
 * Deletes a buyer or seller, as an admin or as they themselves ask, once their unpaid holds have ended;
 * what they did stays readable. Refuses `IN_USE` for an admin, or a member with a paid laptop not handed
 * over yet, and `NOT_FOUND`.
 */
export async function deleteUser(deps: Deps, actor: Member, id: string): Promise<void> {
  for (let attempt = 1; attempt <= patience; attempt += 1) {
    const holds = await transact(deps.db, `deleteUser ${attempt}`, async (tx) => {
      // Who is locked here neither holds nor lists anything meanwhile.
      await tx.selectFrom("members").select("id").where("id", "=", id).forUpdate().execute();
      const email = await requireDeletable(tx, actor, id);
      const found = await dealsOf(tx, id, "held");
      if (found.length === 0) await deleteMember(tx, { id, email, actor, at: deps.clock.now() });
      return found;
    });
    if (holds.length === 0) return;
    for (const bookingId of holds)
      await endHold(deps, { bookingId, transition: "cancel", actor: actor.id });
  }
  throw new Refusal(
    "IN_USE",
    "A laptop is just being paid for by or to this member. Try again in a minute.",
  );
}

/** Answers the member's address. */
async function requireDeletable(tx: Tx, actor: Member, id: string): Promise<string> {
  const member = await tx
    .selectFrom("members")
    .select(["name", "email", "is_admin"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!member) throw new Refusal("NOT_FOUND", "There is no such member.");
  const isSelf = id === actor.id;
  if (member.is_admin) throw new Refusal("IN_USE", isSelf ? notYourself : notAnAdmin);
  if ((await dealsOf(tx, id, "paid")).length === 0) return member.email;
  const [who, orElse] = isSelf ? ["You have", ""] : [`${member.name} has`, ", or refund it"];
  throw new Refusal(
    "IN_USE",
    `${who} a laptop paid for and not yet handed over. Wait until that is done${orElse}.`,
  );
}

const notYourself = "You can't delete yourself while you are an admin.";
const notAnAdmin = "An admin can't be deleted. Take the role away first.";

/** The bookings in this state that the member buys or sells by, in the order they were made. */
async function dealsOf(tx: Tx, memberId: string, state: "held" | "paid"): Promise<string[]> {
  const deals = await tx
    .selectFrom("bookings")
    .innerJoin("products", "products.id", "bookings.product_id")
    .select("bookings.id")
    .where("bookings.state", "=", state)
    .where(({ eb, or }) =>
      or([eb("bookings.buyer_id", "=", memberId), eb("products.seller_id", "=", memberId)]),
    )
    .orderBy("bookings.id")
    .execute();
  return deals.map(({ id }) => id);
}

type Deletion = { id: string; email: string; actor: Member; at: Date };

async function deleteMember(tx: Tx, { id, email, actor, at }: Deletion): Promise<void> {
  await tx.updateTable("members").set({ deleted_at: at }).where("id", "=", id).execute();
  await tx
    .updateTable("products")
    .set({ deleted_at: at, advertise: false })
    .where("seller_id", "=", id)
    .where("sales_status", "=", "available")
    .where("deleted_at", "is", null)
    .execute();
  await tx.deleteFrom("identity.user").where("email", "=", email).execute();
  await record(tx, { at, actor: actor.id, verb: "delete", object: "member", objectId: id });
}
