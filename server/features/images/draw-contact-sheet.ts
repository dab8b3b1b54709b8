import sharp, { type OverlayOptions, type Sharp } from "sharp";
import { tooMuchToDecode } from "./check-photo.ts";
import { layerOf, outlined, rasterize, showable, type TextStyle, wrap } from "./draw-layers.ts";
import { decode } from "./encode-photo.ts";

type CaptionedPhoto = { photo: Buffer; caption: string };
export type ContactSheetRequest = { sheet: CaptionedPhoto[] };

/** Sizes in pixels. `maxBytes`: card providers accept only a few MB. */
const sheetWidth = 1_800;
const margin = 12;
const captionHeight = 44;
const captionStyle: TextStyle = { family: "detail", size: 24 };
const maxBytes = 3_000_000;
const qualities = [82, 60, 40, 20];

/** Returns a JPEG. Throws `NOT_AN_IMAGE` or `TOO_LARGE`. Runs in `decoder-process.ts`. */
export async function drawContactSheet(photos: CaptionedPhoto[]): Promise<Buffer> {
  const columns = Math.ceil(Math.sqrt(Math.min(photos.length, 9)));
  const cell = { width: sheetWidth / columns, height: (sheetWidth / columns) * 0.75 };
  const places = photos.map((_, n) => ({
    left: (n % columns) * cell.width,
    top: Math.floor(n / columns) * (cell.height + captionHeight),
  }));
  const layers: OverlayOptions[] = [];
  for (const [n, place] of places.entries()) {
    const photo = photos[n]?.photo ?? Buffer.of();
    layers.push(await centered(photo, { ...cell, ...place }));
  }
  const height = Math.ceil(photos.length / columns) * (cell.height + captionHeight);
  const captions = places.flatMap(({ left, top }, n) => {
    const space = { width: cell.width - 2 * margin, lines: 1 };
    const [line = ""] = wrap(showable(photos[n]?.caption ?? ""), space, captionStyle);
    const at = { x: left + margin, y: top + cell.height + captionHeight / 2 };
    return outlined(line, at, { ...captionStyle, fill: "#000" });
  });
  const size = { width: sheetWidth, height };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${sheetWidth}" height="${height}">${captions.join("")}</svg>`;
  const blank = sharp({ create: { ...size, channels: 3, background: "#fff" } });
  const drawn = await blank
    .composite([...layers, await rasterize(svg)])
    .removeAlpha()
    .raw()
    .toBuffer();
  return await encode(sharp(drawn, { raw: { ...size, channels: 3 } }));
}

async function encode(sheet: Sharp): Promise<Buffer> {
  for (const quality of qualities) {
    const jpeg = await sheet.clone().jpeg({ quality }).toBuffer();
    if (jpeg.length <= maxBytes) return jpeg;
  }
  throw tooMuchToDecode();
}

type Cell = { width: number; height: number; left: number; top: number };

async function centered(
  photo: Buffer,
  { width, height, left, top }: Cell,
): Promise<OverlayOptions> {
  const space = { width: width - 2 * margin, height: height - 2 * margin };
  const pixels = await decode(photo, { ...space, fit: "inside" });
  return {
    ...layerOf(pixels),
    left: Math.round(left + (width - pixels.info.width) / 2),
    top: Math.round(top + (height - pixels.info.height) / 2),
  };
}
