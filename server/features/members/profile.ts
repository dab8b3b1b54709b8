import type { z } from "zod";
import type { AccountType, profileForm } from "#contract/members.ts";
import { transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordOwnChange } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { imagePath } from "../images/photo-files.ts";
import { requireUploadedImages } from "../images/unused-images.ts";
import { requireNameWithoutContacts } from "./member-name.ts";

type Profile = { name: string; photoURL: string | null };

/**
 * Changes the profile here and in the identity service. Throws `IMAGE_NOT_OURS`, and
 * `INVALID_INPUT` for a name with contact details.
 */
export async function updateProfile(
  deps: Deps,
  member: Member,
  { name, photoURL }: z.output<typeof profileForm>,
): Promise<Profile> {
  requireNameWithoutContacts(name);
  const address = photoURL && imagePath(photoURL, deps.config.publicUrl);
  return await transact(deps.db, "updateProfile", async (tx) => {
    if (typeof address === "string")
      await requireUploadedImages(tx, member, [{ field: "photoURL", address }]);
    const at = deps.clock.now();
    const changed = await tx
      .updateTable("members")
      .set({ name, ...(address !== undefined && { photo: address }) })
      .where("id", "=", member.id)
      .where("deleted_at", "is", null)
      .returning(["name", "photo as photoURL"])
      .executeTakeFirstOrThrow();
    const account = { name: changed.name, image: changed.photoURL, at };
    await deps.identity.accounts.updateProfile(tx, member.email, account);
    await recordOwnChange(tx, { at, member: member.id, verb: "update profile" });
    return changed;
  });
}

/** A repeated call changes nothing. Throws `FORBIDDEN` for admins. */
export async function addRole(deps: Deps, { id }: Member, role: AccountType): Promise<void> {
  await transact(deps.db, "addRole", async (tx) => {
    const member = await tx
      .selectFrom("members")
      .select(["account_type", "is_admin", "also_buys"])
      .where("id", "=", id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (member.is_admin)
      throw new AppError("FORBIDDEN", "Admins neither buy nor sell. Use another account for that.");
    if (member.account_type === role || member.also_buys) return;
    await tx
      .updateTable("members")
      .set({ account_type: "seller", also_buys: true })
      .where("id", "=", id)
      .execute();
    const entry = { at: deps.clock.now(), member: id, verb: "addRole" };
    await recordOwnChange(tx, { ...entry, detail: { role } });
  });
}
