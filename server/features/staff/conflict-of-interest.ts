import type { Member } from "../../db/member.ts";
import { AppError } from "../../errors.ts";

/** Throws `FORBIDDEN` if the admin is one of the parties, given by id (decisions/staff-roles). */
export function refuseParties(admin: Member, parties: (string | null)[]): void {
  if (!parties.includes(admin.id)) return;
  throw new AppError("FORBIDDEN", "This concerns you, so another staff member must decide.");
}

/** Throws like `refuseParties`, except for owners: a shop may have no other staff. */
export function refuseOwnCase(admin: Member, memberId: string): void {
  if (admin.staffRole !== "owner") refuseParties(admin, [memberId]);
}
