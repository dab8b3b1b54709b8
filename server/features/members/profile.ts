import type { z } from "zod";
import type { profileForm } from "#contract/members.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { requireUploadedImages } from "../images/uploaded-images.ts";

type Profile = { name: string; photoURL: string | null };

/**
 * Changes a member's display name and photo. Also changes them in the identity service, where the
 * browser reads them. Throws `IMAGE_NOT_OURS` for a photo that the member didn't upload here.
 */
export async function updateProfile(
  deps: Deps,
  member: Member,
  { name, photoURL }: z.output<typeof profileForm>,
): Promise<Profile> {
  return await transact(deps.db, "updateProfile", async (tx) => {
    const photo =
      typeof photoURL === "string" ? await requirePhoto(tx, deps, { member, photoURL }) : photoURL;
    const at = deps.clock.now();
    const changed = await tx
      .updateTable("members")
      .set({ name, ...(photo !== undefined && { photo }) })
      .where("id", "=", member.id)
      .where("deleted_at", "is", null)
      .returning(["name", "photo as photoURL"])
      .executeTakeFirstOrThrow();
    const account = { name: changed.name, image: changed.photoURL, at };
    await deps.identity.accounts.updateProfile(tx, member.email, account);
    const verb = "update profile";
    await recordAudit(tx, { at, actor: member.id, verb, object: "member", objectId: member.id });
    return changed;
  });
}

async function requirePhoto(
  tx: Tx,
  { config: { publicUrl } }: Deps,
  { member, photoURL }: { member: Member; photoURL: string },
): Promise<string | undefined> {
  const sent = [{ field: "photoURL", address: photoURL }];
  const [image] = await requireUploadedImages(tx, member, { sent, publicUrl });
  return image?.img;
}
