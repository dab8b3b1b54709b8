import { z } from "zod";
import { call } from "./call.ts";

/** The path prefix and the upload key of the built-in image host. */
export const embeddedImageHost = { url: "/api/images", key: "embedded" } as const;

export const imageTypes: readonly string[] = [
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/avif",
];
export const wrongImageType = "Choose a JPEG, PNG, WebP or AVIF image.";

export const maxImageBytes = 10 * 1024 * 1024;
export const maxImagePixels = 50_000_000;
export const maxImageSide = 20_000;

export const maxListingImages = 10;

/** Limits per member. */
export const maxUnusedImages = 40;
export const maxImageBytesADay = 100 * 1024 * 1024;

/** Can be empty. The browser converts an SVG to PNG first, because an SVG may contain scripts. */
export function pngDataUrl(maxKilobytes: number) {
  return z
    .string()
    .max(maxKilobytes * 1_400, `Choose a picture of at most ${maxKilobytes} kB.`)
    .regex(/^(data:image\/png;base64,iVBORw0KGgo[A-Za-z\d+/]*={0,2})?$/, "Choose a PNG.");
}

/** Width and height, in pixels. */
export const profilePhotoSize = 256;

/** The response format of the specification's image host. */
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

export const uploadImage = call("POST /images/1/upload", {
  access: "seller",
  summary: "Upload a photo of a laptop: multipart, field image",
  changes: [],
  query: z.object({
    key: z.literal(embeddedImageHost.key, "Send the key of the image host from GET /config."),
  }),
  transport: "multipart",
  limit: { max: 60, minutes: 60 },
  answers: { 200: uploaded },
  refusals: ["NOT_AN_IMAGE", "TOO_LARGE", "TOO_MANY_PHOTOS", "UNSUPPORTED_TYPE"],
});

export const uploadPhoto = call("POST /users/photo", {
  access: "member",
  summary: "Upload a profile photo: multipart, field image; cropped to a square of 256 pixels",
  changes: [],
  transport: "multipart",
  limit: { max: 20, minutes: 60 },
  answers: { 200: uploaded },
  refusals: ["NOT_AN_IMAGE", "TOO_LARGE", "TOO_MANY_PHOTOS", "UNSUPPORTED_TYPE"],
});
