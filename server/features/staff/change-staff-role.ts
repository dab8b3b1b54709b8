import { mayAct, type StaffAccess, type StaffRole } from "#contract/roles.ts";
import type { StaffMember } from "#contract/staff.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { endOffersOf } from "../deals/end-offers.ts";
import { openDealsOf } from "../members/delete-member.ts";

type Changing = Pick<Deps, "db" | "clock">;

/**
 * Makes a member an owner, or removes the role, for `npm run admin`. Throws like `setStaffRole`,
 * and `NOT_FOUND` for an unknown or suspended member.
 */
export async function changeAdmin(
  { db, clock }: Changing,
  { email, isAdmin }: { email: string; isAdmin: boolean },
): Promise<string> {
  return await transact(db, "changeAdmin", async (tx) => {
    const member = await tx
      .selectFrom("members")
      .select(["id", "name"])
      .where("email", "=", email)
      .where("deleted_at", "is", null)
      .where("suspended_at", "is", null)
      .executeTakeFirstOrThrow(
        orNotFound(
          `There is no member ${email}. They have to sign up first, and must not be suspended.`,
        ),
      );
    const role = isAdmin ? "owner" : null;
    await setStaffRole(tx, { id: member.id, role, at: clock.now(), actor: null });
    return `${member.name} (${email}) is ${isAdmin ? "now" : "no longer"} an admin.`;
  });
}

/** A null `role` removes the role. Throws `FORBIDDEN`, or like `setStaffRole`. */
export async function changeStaffRole(
  { db, clock }: Changing,
  owner: Member,
  { id, role }: { id: string; role: StaffRole | null },
): Promise<void> {
  await transact(db, "changeStaffRole", async (tx) => {
    await requireOwner(tx, owner);
    await staff(tx)
      .where("id", "=", id)
      .executeTakeFirstOrThrow(orNotFound("They aren't on the staff."));
    await setStaffRole(tx, { id, role, at: clock.now(), actor: owner.id });
  });
}

type RoleChange = { id: string; role: StaffRole | null; at: Date; actor: string | null };

/**
 * Deletes the invitation to the member, because accepting it would replace the role. Also deletes
 * invitations that the member sent, unless the role is owner. Granting a role ends the member's
 * open offers. Throws `NOT_FOUND`, or `IN_USE` if no owner would be left, or if a member with an
 * open deal would get a role.
 */
export async function setStaffRole(tx: Tx, { id, role, at, actor }: RoleChange): Promise<void> {
  const owners = await lockOwners(tx);
  if (role !== "owner" && owners.length === 1 && owners[0]?.id === id)
    throw new AppError(
      "IN_USE",
      `${owners[0].name} is the only owner. Make somebody else an owner first.`,
    );
  const member = await tx
    .updateTable("members")
    .set({ staff_role: role, staff_since: role && at })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .where("suspended_at", "is", null)
    .returning(["name", "email"])
    .executeTakeFirstOrThrow(orNotFound("This member was deleted or suspended."));
  if (role !== null && (await openDealsOf(tx, id)).length > 0)
    throw new AppError(
      "IN_USE",
      `${actor === id ? "You have" : `${member.name} (${member.email}) has`} a laptop held or not yet handed over, and admins can't deal. Wait until that is done.`,
    );
  if (role !== null) await endOffersOf(tx, id, at);
  await tx.deleteFrom("staff_invitations").where("email", "=", member.email).execute();
  if (role !== "owner")
    await tx.deleteFrom("staff_invitations").where("invited_by", "=", id).execute();
  await recordAudit(tx, {
    at,
    actor,
    verb: role === null ? "revoke admin" : "grant admin",
    object: "member",
    objectId: id,
    detail: { role },
  });
}

/** Throws `FORBIDDEN` unless the member is still an owner. */
export async function requireOwner(tx: Tx, { id }: Member): Promise<void> {
  const owners = await lockOwners(tx);
  if (owners.some((owner) => owner.id === id)) return;
  throw new AppError("FORBIDDEN", "Only owners can do this, and you are no longer one.");
}

/** Locks all admins, so that concurrent changes can't leave the shop without an owner. */
async function lockOwners(tx: Tx) {
  const admins = await staff(tx).orderBy("id").forNoKeyUpdate().execute();
  return admins.filter(({ role }) => role === "owner");
}

export async function listAdmins(tx: Tx, access: StaffAccess = "admin") {
  const admins = await staff(tx).execute();
  return admins.filter(({ role }) => mayAct(role, access));
}

/** Lists the staff, owners first. */
export async function listStaff(tx: Tx): Promise<StaffMember[]> {
  const admins = await staff(tx).orderBy("staff_role").orderBy("name").execute();
  return admins.flatMap(({ id, name, email, role, since }) =>
    role ? [{ _id: id, name, email, role, since: since?.toISOString() ?? null }] : [],
  );
}

function staff(tx: Tx) {
  return tx
    .selectFrom("members")
    .select(["id", "name", "email", "staff_role as role", "staff_since as since"])
    .where("is_admin", "=", true)
    .where("deleted_at", "is", null);
}
