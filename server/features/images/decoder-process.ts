import sharp from "sharp";
import { AppError } from "../../errors.ts";
import type { DecoderAnswer, DecoderRequest } from "./decoder.ts";
import { drawContactSheet } from "./draw-contact-sheet.ts";
import { drawLinkPreview } from "./draw-link-preview.ts";
import { encodeAvif, encodePhoto } from "./encode-photo.ts";

const maxMemory = Number(process.argv[2]);
const memoryCheckMs = 10;

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Heif"].map((format) => `VipsForeignLoad${format}Buffer`),
});

process.on("message", async (request: DecoderRequest) => {
  const watch = setInterval(endWhenTooLarge, memoryCheckMs);
  const answer = await encode(request).then((done) => ({ done }), toAnswer);
  clearInterval(watch);
  process.send?.(answer satisfies DecoderAnswer);
});
process.on("disconnect", () => process.exit());
// Ctrl-C signals the whole process group. Ignoring it lets uploads finish.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.send?.("ready");

async function encode(request: DecoderRequest) {
  if ("path" in request) return await encodePhoto(request.path, request.shape);
  if ("preview" in request) return await drawLinkPreview(request);
  if ("sheet" in request) return await drawContactSheet(request.sheet);
  return await encodeAvif(request);
}

/** Ends the process at the memory limit, even while other threads decode an image. */
function endWhenTooLarge(): void {
  if (process.memoryUsage.rss() > maxMemory) process.exit(1);
}

function toAnswer(error: unknown): DecoderAnswer {
  if (error instanceof AppError) return { refused: { code: error.code, message: error.message } };
  return { failed: String(error) };
}
