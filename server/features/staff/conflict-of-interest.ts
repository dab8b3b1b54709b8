import type { Member } from "../../db/member.ts";
import { AppError } from "../../errors.ts";

/** Throws `FORBIDDEN` if the admin is one of the parties, given by id (decisions/staff-roles). */
export function refuseParties(admin: Member, parties: (string | null)[]): void {
  if (!parties.includes(admin.id)) return;
  throw new AppError("FORBIDDEN", "This concerns you, so another staff member must decide.");
}

/** Owners may decide about their own selling, because a shop may have nobody else. */
export function refuseOwnSelling(admin: Member, sellerId: string): void {
  if (admin.staffRole !== "owner") refuseParties(admin, [sellerId]);
}
