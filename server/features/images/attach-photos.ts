import { type RawBuilder, sql } from "kysely";
import { maxAttachedPhotos, type PrivatePhoto } from "#contract/private-photos.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Member } from "../../db/member.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { fieldError } from "../../errors.ts";
import { enqueue } from "../../jobs/job-queue.ts";

type Target = { messageId: string } | { complaintId: string };

/**
 * Attaches photos to a message or a locked complaint. Throws `IMAGE_NOT_OURS` for a photo that was
 * sent before or isn't the member's, and `TOO_MANY_PHOTOS` if the member would exceed their limit
 * for the complaint.
 */
export async function attachPhotos(
  tx: Tx,
  { id }: Pick<Member, "id">,
  { photos, ...target }: Target & { photos: readonly string[] },
): Promise<void> {
  const ids = [...new Set(photos)];
  if (ids.length === 0) return;
  const attached = await tx
    .updateTable("private_photos")
    .set(
      "messageId" in target
        ? { message_id: target.messageId }
        : { complaint_id: target.complaintId },
    )
    .where("id", "in", ids)
    .where("member_id", "=", id)
    .where("message_id", "is", null)
    .where("complaint_id", "is", null)
    .executeTakeFirst();
  if (Number(attached.numUpdatedRows) !== ids.length) {
    const message = "One of the photos is no longer there. Remove it and choose it again.";
    throw fieldError("photos", message, "IMAGE_NOT_OURS");
  }
  if ("complaintId" in target) await requireFewPhotos(tx, id, target.complaintId);
}

async function requireFewPhotos(tx: Tx, memberId: string, complaintId: string): Promise<void> {
  const { count } = await tx
    .selectFrom("private_photos")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("complaint_id", "=", complaintId)
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  if (Number(count) <= maxAttachedPhotos) return;
  const message = `You can send ${maxAttachedPhotos} photos in all about this complaint. Remove some.`;
  throw fieldError("photos", message, "TOO_MANY_PHOTOS");
}

/** SQL: the photos that match a condition on `photo`, oldest first. */
export function photosWhere(condition: RawBuilder<unknown>): RawBuilder<PrivatePhoto[]> {
  return sql`(
    select coalesce(
      json_agg(json_build_object('_id', photo.id, 'width', photo.width, 'height', photo.height) order by photo.id), '[]')
    from private_photos photo where ${condition})`;
}

export async function deleteUnsentPhotos(deps: Deps, before: Date): Promise<void> {
  const isUnsent = sql<boolean>`uploaded_at < ${before}
    and message_id is null and complaint_id is null`;
  await transact(deps.db, "deleteUnsentPhotos", (tx) => forget(tx, isUnsent, deps.clock.now()));
}

/** Keeps the photos of undecided complaints. */
export async function deleteOldPhotos(deps: Deps, before: Date): Promise<void> {
  const isOld = sql<boolean>`uploaded_at < ${before} and not exists (
    select from complaints
    where complaints.booking_id = private_photos.complaint_id and complaints.decided_at is null)`;
  await transact(deps.db, "deleteOldPhotos", (tx) => forget(tx, isOld, deps.clock.now()));
}

export async function erasePrivatePhotos(tx: Tx, memberIds: string[], at: Date): Promise<void> {
  await forget(tx, sql<boolean>`member_id = any(${memberIds}::uuid[])`, at);
}

async function forget(tx: Tx, condition: RawBuilder<boolean>, at: Date): Promise<void> {
  const gone = await tx
    .deleteFrom("private_photos")
    .where(condition)
    .returning(["id", "name"])
    .execute();
  for (const { id, name } of gone) {
    await recordAudit(tx, { at, actor: null, verb: "forget", object: "image", objectId: id });
    await enqueue(tx, "removePrivatePhoto", { payload: { name } });
  }
}
