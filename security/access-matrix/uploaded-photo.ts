import sharp from "sharp";
import type { Parts } from "./row.ts";

/** A photo encoded as `multipart/form-data`, like a browser's upload. */
export async function uploadedPhoto(): Promise<Parts> {
  const photo = sharp({ create: { width: 8, height: 8, channels: 3, background: "#358" } }).jpeg();
  const form = new FormData();
  form.append("image", new Blob([new Uint8Array(await photo.toBuffer())]), "photo.jpg");
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  return { payload: { bytes: Buffer.from(await encoded.arrayBuffer()), type } };
}
