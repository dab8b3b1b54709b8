import type { z } from "zod";
import type { profileForm } from "#contract/members.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { requireUploadedPhoto } from "../images/images.ts";
import type { Member } from "./members.ts";

type Profile = { name: string; photoURL: string | null };

/**
 * Changes a member's display name and photo, here and at the embedded identity service, which tells the
 * browser who is signed in. Refuses `IMAGE_NOT_OURS` for a photo the member did not upload here.
 */
export async function updateProfile(
  deps: Deps,
  member: Member,
  { name, photoURL }: z.output<typeof profileForm>,
): Promise<Profile> {
  return await transact(deps.db, "updateProfile", async (tx) => {
    const { publicUrl } = deps.config;
    const photo =
      typeof photoURL === "string"
        ? await requireUploadedPhoto(tx, member, { url: photoURL, publicUrl })
        : photoURL;
    const at = deps.clock.now();
    const changed = await tx
      .updateTable("members")
      .set({ name, ...(photo !== undefined && { photo }) })
      .where("id", "=", member.id)
      .where("deleted_at", "is", null)
      .returning(["name", "photo as photoURL"])
      .executeTakeFirstOrThrow();
    await tellIdentity(tx, member, { ...changed, at });
    const verb = "update profile";
    await recordAudit(tx, { at, actor: member.id, verb, object: "member", objectId: member.id });
    return changed;
  });
}

/** Nobody is there to be told where the identity service is a hosted one. */
async function tellIdentity(
  tx: Tx,
  { email }: Member,
  { name, photoURL, at }: Profile & { at: Date },
): Promise<void> {
  await tx
    .updateTable("identity.user")
    .set({ name, image: photoURL, updatedAt: at })
    .where("email", "=", email)
    .execute();
}
