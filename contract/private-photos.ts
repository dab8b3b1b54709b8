import { z } from "zod";
import { acknowledged, call, id } from "./call.ts";

/** Per message, and per side of a complaint. */
export const maxAttachedPhotos = 6;

/** Per member: photos not sent yet, and bytes stored per day. */
export const maxUnsentPhotos = 24;
export const maxPrivateBytesADay = 40 * 1024 * 1024;

/** Width and height in pixels. */
export const privatePhoto = z.object({ _id: id, width: z.number(), height: z.number() });

export type PrivatePhoto = z.output<typeof privatePhoto>;

export const attachedPhotos = z
  .array(id, "Send the ids of the photos.")
  .max(maxAttachedPhotos, `Attach at most ${maxAttachedPhotos} photos.`)
  .default([]);

export const uploadPrivatePhoto = call("POST /privatePhotos", {
  access: "member",
  openWhileClosed: true,
  summary:
    "Upload a photo to send with a message or complaint: multipart, field image; it is deleted after a day if it is not sent",
  changes: [],
  transport: "multipart",
  confirmed: true,
  limit: { max: 60, minutes: 60 },
  answers: { 201: acknowledged.extend({ photo: privatePhoto }) },
  refusals: ["NOT_AN_IMAGE", "TOO_LARGE", "TOO_MANY_PHOTOS", "UNSUPPORTED_TYPE"],
});

export const photoSizes = ["small", "large"] as const;

export const readPrivatePhoto = call("GET /privatePhotos/{id}", {
  access: "member",
  summary:
    "A photo of a message or complaint, for the two sides of it, and for admins who may read it; that they read one of a message is recorded in the audit log",
  reads: [],
  query: z.object({ size: z.enum(photoSizes, "Send small or large.").default("large") }),
  limit: { max: 600, minutes: 10 },
  answers: { 200: z.file().mime(["image/jpeg", "image/webp"]) },
  refusals: ["UNAVAILABLE"],
});
