import { z } from "zod";
import { call } from "./call.ts";

/** The embedded image host: what its paths begin with, and the key that its upload asks for (GET /config tells both). */
export const embeddedImageHost = { url: "/api/images", key: "embedded" } as const;

/** What a photo may be, as files name it, and as a sentence does. */
export const imageTypes: readonly string[] = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/avif",
];
export const wrongImageType = "Use a JPEG, PNG, WebP or AVIF.";

/** Bytes an image may have, pixels in all, and pixels a side (contract, image upload). */
export const maxImageBytes = 10 * 1024 * 1024;
export const maxImagePixels = 50_000_000;
export const maxImageSide = 20_000;

/** How many of a member's photos may wait to be used, and how many bytes they may add in a day. */
export const maxUnusedImages = 40;
export const maxImageBytesADay = 100 * 1024 * 1024;

/** The widths, in pixels, every image is kept at beside its full JPEG of at most the largest. */
export const imageWidths = [320, 640, 1280] as const;

/** The side, in pixels, of the square a member's own photo is cut to. */
export const profilePhotoSize = 256;

/** The `srcset` of an image of the embedded host in WebP; nothing for an image kept elsewhere. */
export function imageSrcset(img: string): string | undefined {
  const stem = /^(.*\/images\/[0-9a-f]{64})\.jpg$/.exec(img)?.[1];
  if (stem === undefined) return undefined;
  return imageWidths.map((width) => `${stem}-${width}.webp ${width}w`).join(", ");
}

/** How many places a preview has colours of, across and down. */
export const previewSize = { width: 4, height: 3 } as const;

/** The start of a bitmap file of that size, 24 bits each, rows from the top (BITMAPINFOHEADER). */
const bitmapOfPreview = "Qk1aAAAAAAAAADYAAAAoAAAABAAAAP3///8BABgAAAAAACQAAAATCwAAEwsAAAAAAAAAAAAA";

/** A picture of a preview, for the browser to show blurred until the photo is there. */
export function previewUrl(preview: string): string {
  return `data:image/bmp;base64,${bitmapOfPreview}${preview}`;
}

/** What the specification's image host answers. */
const uploaded = z.object({
  success: z.literal(true),
  status: z.literal(200),
  data: z.object({
    url: z.string(),
    display_url: z.string(),
    width: z.number(),
    height: z.number(),
    size: z.number(),
  }),
});

export const uploadImage = call({
  method: "POST",
  path: "/images/1/upload",
  access: "seller",
  summary: "Upload a photo, as the specification's image host takes it: multipart, field image",
  changes: [],
  query: z.object({
    key: z.literal(
      embeddedImageHost.key,
      "Send the key of the image host, which GET /config tells.",
    ),
  }),
  transport: "multipart",
  limit: { most: 60, minutes: 60 },
  answers: { 200: uploaded },
  refusals: ["NOT_AN_IMAGE", "TOO_LARGE", "TOO_MANY_PHOTOS", "UNSUPPORTED_TYPE"],
});

export const uploadPhoto = call({
  method: "POST",
  path: "/users/photo",
  access: "member",
  summary: "Upload a photo of oneself: multipart, field image; it is cut to a square of 256 pixels",
  changes: [],
  transport: "multipart",
  limit: { most: 20, minutes: 60 },
  answers: { 200: uploaded },
  refusals: ["NOT_AN_IMAGE", "TOO_LARGE", "TOO_MANY_PHOTOS", "UNSUPPORTED_TYPE"],
});
