import { sql } from "kysely";
import { type DealRecord, maxEvidencePhotos } from "#contract/deal-records.ts";
import type { PrivatePhoto } from "#contract/private-photos.ts";
import { DamagedFile } from "../../adapters/images/port.ts";
import type { Tx } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { decodePhoto } from "../images/decoder.ts";
import { privateNames } from "../images/photo-files.ts";
import { isOpenCase } from "../messages/shown-text.ts";

/** `id`: a listing photo's path or URL, or a private photo's id. */
export type EvidencePhoto = { id: string; file: string; caption: string };

/** Below `maxEvidencePhotos`, to leave room for the listing's photos. */
const maxPrivatePhotos = 8;
/** Owner of all evidence drawings in the decoder's queue: together, they get one turn per round. */
const owner = "evidence";

export type AvailablePhotos = {
  listing: EvidencePhoto[];
  own: (EvidencePhoto & { shown: PrivatePhoto })[];
};

/**
 * Lists the listing's photos and, during an open case (`isOpenCase`), the deal's newest private
 * photos, oldest first. Limits both to `maxEvidencePhotos` in total.
 */
export async function listEvidencePhotos(
  tx: Tx,
  { _id, listing, bookedAt }: DealRecord,
): Promise<AvailablePhotos> {
  const rows = await listPrivatePhotos(tx, _id);
  const own = rows.toReversed().map(({ id, name, width, height, ...row }) => ({
    id,
    file: privateNames(name).large,
    caption: `${row.by_buyer ? "Buyer" : "Seller"}, ${row.of_complaint ? "about the complaint" : "in a message"}, ${day(row.uploaded_at)}`,
    shown: { _id: id, width, height },
  }));
  const images = (listing?.images ?? []).slice(0, maxEvidencePhotos - own.length);
  const caption = `Listing as booked on ${day(new Date(bookedAt))}`;
  return { listing: images.map((img) => ({ id: img, file: img, caption })), own };
}

async function listPrivatePhotos(tx: Tx, bookingId: string) {
  const inMessages = tx
    .selectFrom("bookings as b")
    .innerJoin("conversations as c", (join) =>
      join.onRef("c.product_id", "=", "b.product_id").onRef("c.buyer_id", "=", "b.buyer_id"),
    )
    .innerJoin("messages as m", "m.conversation_id", "c.id")
    .innerJoin("private_photos as p", "p.message_id", "m.id");
  const inComplaint = tx
    .selectFrom("bookings as b")
    .innerJoin("private_photos as p", "p.complaint_id", "b.id");
  const columns = ["p.id", "p.name", "p.width", "p.height", "p.uploaded_at"] as const;
  const byBuyer = sql<boolean>`p.member_id = b.buyer_id`.as("by_buyer");
  return await inMessages
    .select([...columns, byBuyer, sql<boolean>`false`.as("of_complaint")])
    .where("b.id", "=", bookingId)
    .where(isOpenCase)
    .unionAll(
      inComplaint
        .select([...columns, byBuyer, sql<boolean>`true`.as("of_complaint")])
        .where("b.id", "=", bookingId)
        .where(isOpenCase),
    )
    .orderBy("uploaded_at", "desc")
    .orderBy("id", "desc")
    .limit(maxPrivatePhotos)
    .execute();
}

/** Draws photos into one JPEG. Throws `UNAVAILABLE`, and `STALE` if a photo can't be read. */
export async function drawEvidencePhotos(deps: Deps, photos: EvidencePhoto[]): Promise<Buffer> {
  const sheet = [];
  for (const { file, caption } of photos) {
    const photo = await readFile(deps, file);
    if (!photo) throw unreadable();
    sheet.push({ photo, caption });
  }
  return await decodePhoto(owner, { sheet }).catch((error: unknown) => {
    const refused = error instanceof AppError && error.code !== "UNAVAILABLE";
    throw refused ? unreadable() : error;
  });
}

async function readFile({ images, imageHost }: Deps, file: string): Promise<Buffer | undefined> {
  const url = file.startsWith("/") ? null : URL.parse(file);
  if (url) {
    const answer = imageHost ? await imageHost.download(url, "whole") : "refused";
    return typeof answer === "string" ? undefined : answer.bytes;
  }
  return await images.read(file.replace("/images/", "")).catch((error: unknown) => {
    if (error instanceof DamagedFile) return undefined;
    throw error;
  });
}

function unreadable(): AppError {
  return new AppError(
    "STALE",
    "One of the photos was deleted or can't be read. Nothing was sent: reload the page, or send the text without photos.",
  );
}

function day(at: Date): string {
  return at.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
}
