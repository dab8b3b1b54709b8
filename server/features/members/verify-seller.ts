import type { SellerCheck, Verification } from "#contract/members.ts";
import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { refuseOwnCase } from "../staff/conflict-of-interest.ts";

type Toggled = { id: string; email: string; verify: boolean };

/**
 * Listings read `verify` from their seller, so all of them change at once. Throws `NOT_FOUND` or
 * `FORBIDDEN`. Throws `STALE` if `verify` isn't the stored value.
 */
export async function toggleSellerStatus(
  deps: Deps,
  admin: Member,
  { id, email, verify }: Toggled,
): Promise<{ verify: boolean }> {
  refuseOwnCase(admin, id);
  const at = deps.clock.now();
  return await transact(deps.db, "toggleSellerStatus", async (tx) => {
    const seller = await tx
      .selectFrom("members")
      .select("verify")
      .where("id", "=", id)
      .where("email", "=", email)
      .where("account_type", "=", "seller")
      .where("deleted_at", "is", null)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(orNotFound("There is no seller with this id and email."));
    if (seller.verify !== verify)
      throw new AppError(
        "STALE",
        "Someone changed this seller a moment ago. Check it before you change it again.",
      );
    const ground = verify
      ? { verified_at: null, verified_by: null, verification_note: null }
      : { verified_at: at, verified_by: admin.id };
    await tx
      .updateTable("members")
      .set({ verify: !verify, ...ground })
      .where("id", "=", id)
      .execute();
    const verb = verify ? "unverify" : "verify";
    await recordAudit(tx, { at, actor: admin.id, verb, object: "member", objectId: id });
    return { verify: !verify };
  });
}

/** Throws `NOT_FOUND` unless `id` belongs to a verified seller. */
export async function noteVerification(
  deps: Deps,
  admin: Member,
  { id, note }: { id: string; note: string },
): Promise<void> {
  await transact(deps.db, "noteVerification", async (tx) => {
    const noted = await tx
      .updateTable("members")
      .set({ verification_note: note === "" ? null : note })
      .where("id", "=", id)
      .where("verify", "=", true)
      .where("deleted_at", "is", null)
      .executeTakeFirst();
    if (noted.numUpdatedRows === 0n)
      throw new AppError("NOT_FOUND", "There is no verified seller with this id.");
    const by = { at: deps.clock.now(), actor: admin.id, object: "member", objectId: id } as const;
    await recordAudit(tx, { ...by, verb: "note verification" });
  });
}

type Row = {
  confirmed_at: Date | null;
  identity_checked_at: Date | null;
  verified_at: Date | null;
  verification_note: string | null;
  verified_by_name: string | null;
};

export function toVerification(row: Row): Verification {
  return {
    emailConfirmedAt: row.confirmed_at?.toISOString() ?? null,
    identityCheckedAt: row.identity_checked_at?.toISOString() ?? null,
    verifiedAt: row.verified_at?.toISOString() ?? null,
    verifiedBy: row.verified_by_name,
    note: row.verification_note,
  };
}

type Checked = { verify: boolean; confirmed_at: Date | null; identity_checked_at: Date | null };

/** Shown to everyone. Empty for an unverified seller. */
export function checksOf({ verify, confirmed_at, identity_checked_at }: Checked): SellerCheck[] {
  if (!verify) return [];
  return [
    "admin",
    ...(confirmed_at ? (["email"] as const) : []),
    ...(identity_checked_at ? (["identity"] as const) : []),
  ];
}
