import sharp, { type OverlayOptions } from "sharp";
import type { Pixels } from "./encode-photo.ts";
import { outlineOf, type TextStyle } from "./text-outlines.ts";

/** A sharp operation, blocked except for our own drawings, so that no upload is read as SVG. */
const svgLoader = { operation: ["VipsForeignLoadSvgBuffer"] };

export async function rasterize(svg: string): Promise<OverlayOptions> {
  sharp.unblock(svgLoader);
  try {
    return layerOf(await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true }));
  } finally {
    sharp.block(svgLoader);
  }
}

export function layerOf({ data, info: { width, height, channels } }: Pixels): OverlayOptions {
  return { input: data, raw: { width, height, channels } };
}

export function outlined(
  text: string,
  at: { x: number; y: number },
  { fill, ...style }: TextStyle & { fill: string },
): string {
  return `<path fill="${fill}" d="${outlineOf(text, at, style)}"/>`;
}
