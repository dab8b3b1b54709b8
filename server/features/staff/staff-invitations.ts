import type { StaffRole } from "#contract/roles.ts";
import { type StaffInvitation, staffInvitationDays } from "#contract/staff.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import type { EmailContent } from "../../email/email.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { hashToken, randomToken } from "../../keyed-hash.ts";
import { listAdmins, requireOwner, setStaffRole } from "./change-staff-role.ts";

const validForMs = staffInvitationDays * 24 * 3_600_000;

/**
 * Emails an invitation and invalidates any earlier link. Throws `FORBIDDEN`, or `IN_USE` for admins
 * and addresses that can't get emails now.
 */
export async function inviteStaff(
  { db, clock, config, emailQueue }: Deps,
  owner: Member,
  { email, role }: { email: string; role: StaffRole },
): Promise<string> {
  return await transact(db, "inviteStaff", async (tx) => {
    await requireOwner(tx, owner);
    const admin = (await listAdmins(tx)).find((one) => one.email === email);
    if (admin) throw new AppError("IN_USE", `${admin.name} is on the staff. Change their role.`);
    const token = randomToken();
    const url = `${config.publicUrl}/dashboard/staff?token=${token}`;
    const content = invitationEmail({ to: email, from: owner.name, role, url });
    if (!(await emailQueue.add(tx, { kind: "invitation", ...content })))
      throw new AppError(
        "IN_USE",
        "We can't email this address now. Its member has to confirm it first, or it got too many emails today.",
      );
    const at = clock.now();
    const invitation = {
      id: newId(at),
      role,
      token_hash: hashToken(token),
      invited_by: owner.id,
      expires_at: new Date(at.getTime() + validForMs),
    };
    await tx
      .insertInto("staff_invitations")
      .values({ email, ...invitation })
      .onConflict((earlier) => earlier.column("email").doUpdateSet(invitation))
      .execute();
    await recordInvitation(tx, { ...invitation, at, verb: "invite to staff", actor: owner.id });
    return invitation.id;
  });
}

/** Throws `NOT_FOUND`. */
export async function revokeStaffInvitation(deps: Deps, owner: Member, id: string): Promise<void> {
  await transact(deps.db, "revokeStaffInvitation", async (tx) => {
    const invitation = await tx
      .deleteFrom("staff_invitations")
      .where("id", "=", id)
      .returning(["id", "role"])
      .executeTakeFirstOrThrow(orNotFound("This invitation was accepted or taken back."));
    const at = deps.clock.now();
    await recordInvitation(tx, { ...invitation, at, verb: "take back", actor: owner.id });
  });
}

/** Throws `LINK_EXPIRED`, `NOT_YOUR_ADDRESS`, `ADDRESS_NOT_CONFIRMED`, or like `setStaffRole`. */
export async function acceptStaffInvitation(deps: Deps, member: Member, token: string) {
  const at = deps.clock.now();
  await transact(deps.db, "acceptStaffInvitation", async (tx) => {
    const invitation = await tx
      .deleteFrom("staff_invitations")
      .where("token_hash", "=", hashToken(token))
      .where("expires_at", ">", at)
      .returning(["id", "email", "role"])
      .executeTakeFirst();
    if (!invitation)
      throw new AppError(
        "LINK_EXPIRED",
        "This invitation has expired, was used or was taken back. Ask the owner for another one.",
      );
    if (invitation.email !== member.email)
      throw new AppError(
        "NOT_YOUR_ADDRESS",
        "This invitation is for another email address. Log in with the one it was sent to.",
      );
    if (!member.confirmed)
      throw new AppError(
        "ADDRESS_NOT_CONFIRMED",
        "Please confirm your email address first: open the link we emailed you. Then open the invitation again.",
      );
    const { id, role } = invitation;
    await recordInvitation(tx, { id, role, at, verb: "accept", actor: member.id });
    await setStaffRole(tx, { id: member.id, role, at, actor: member.id });
  });
}

/** Whether the address, which may not have an account yet, has an open invitation. */
export async function isInvited(tx: Tx, email: string, now: Date): Promise<boolean> {
  const invitation = await tx
    .selectFrom("staff_invitations")
    .select("id")
    .where("email", "=", email)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return invitation !== undefined;
}

export async function listStaffInvitations(tx: Tx, now: Date): Promise<StaffInvitation[]> {
  const open = await tx
    .selectFrom("staff_invitations")
    .select(["id", "email", "role", "expires_at"])
    .where("expires_at", ">", now)
    .orderBy("expires_at", "desc")
    .execute();
  return open.map(({ id, email, role, expires_at }) => ({
    _id: id,
    email,
    role,
    expiresAt: expires_at.toISOString(),
  }));
}

type Recorded = { id: string; role: StaffRole; at: Date; verb: string; actor: string };

/** Records the role, but not the address, because the log names people by id only. */
async function recordInvitation(tx: Tx, { id, role, ...entry }: Recorded): Promise<void> {
  await recordAudit(tx, { ...entry, object: "invitation", objectId: id, detail: { role } });
}

const work: Record<StaffRole, string> = {
  owner: "as an owner, who may do everything",
  moderation: "as a moderator",
  support: "on the support staff",
  finance: "on the finance staff",
};

type Inviting = { to: string; from: string; role: StaffRole; url: string };

function invitationEmail({ to, from, role, url }: Inviting): EmailContent {
  return {
    to,
    subject: "Join the staff of {shop}",
    paragraphs: [
      `${from} invites you to help run {shop} ${work[role]}.`,
      `Open the link and log in, or sign up, with this email address. It works once, within ${staffInvitationDays} days.`,
      "If you don't know why you got this email, ignore it.",
    ],
    action: { label: "Join the staff", url },
  };
}
