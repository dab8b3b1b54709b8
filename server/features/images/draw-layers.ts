import { readFileSync } from "node:fs";
import opentype, { type Font, type PathCommand } from "opentype.js";
import sharp, { type OverlayOptions } from "sharp";
import type { Pixels } from "./encode-photo.ts";

/** Blocked except for our own drawings, so that no upload is read as SVG. */
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

/** `size` in pixels, `letterSpacing` in ems. */
export type TextStyle = { family: keyof typeof families; size: number; letterSpacing?: number };

/** Each family has a file for most letters, and one for rarer Latin letters (`npm run fonts`). */
const families = {
  title: ["bricolage-grotesque-latin", "bricolage-grotesque-latin-ext"],
  detail: ["instrument-sans-latin", "instrument-sans-latin-ext"],
} as const;

const loaded = new Map<string, Font>();

/** Returns SVG path data, which needs no installed fonts. `at`: the baseline's start. */
export function outlineOf(text: string, at: { x: number; y: number }, style: TextStyle): string {
  let { x } = at;
  return runsOf(text, style)
    .map((run) => {
      const path = run.font.getPath(run.text, x, at.y, style.size, style);
      x += widthOfRun(run, style);
      return path.commands.map(pathDataOf).join("");
    })
    .join("");
}

/** Replaces the library's own `toPathData`, which writes NaN for some numbers. */
function pathDataOf({ type, x1, y1, x2, y2, x, y }: PathCommand): string {
  const numbers = [x1, y1, x2, y2, x, y].filter((number) => number !== undefined);
  return `${type}${numbers.map((number) => number.toFixed(1)).join(" ")}`;
}

/** Drops the characters and accents that the title fonts lack. */
export function showable(text: string): string {
  const shown = [...text.normalize("NFC")].flatMap(
    (character) =>
      [character, ...character.normalize("NFD")].find((one) => fontOf(one, "title")) ?? [],
  );
  return shown.join("").replaceAll(/\s+/g, " ").trim();
}

/** Returns at most `lines` lines, each at most `width` pixels wide. A longer text ends in "…". */
export function wrap(
  text: string,
  { width, lines }: { width: number; lines: number },
  style: TextStyle,
): string[] {
  const fits = (line: string) => widthOf(line, style) <= width;
  const wrapped: string[] = [];
  let rest = text;
  while (rest !== "" && wrapped.length < lines) {
    const isLast = wrapped.length === lines - 1;
    const line = isLast && !fits(rest) ? cut(rest, fits) : firstLine(rest, fits);
    wrapped.push(line);
    rest = isLast ? "" : rest.slice(line.length).trimStart();
  }
  return wrapped;
}

function firstLine(text: string, fits: (line: string) => boolean): string {
  const words = text.split(" ");
  const count = countFitting(words.length, (n) => fits(words.slice(0, n).join(" ")));
  if (count > 0) return words.slice(0, count).join(" ");
  const [word = ""] = words;
  const letters = countFitting(word.length, (n) => fits(word.slice(0, n)));
  return word.slice(0, Math.max(1, letters));
}

function cut(text: string, fits: (line: string) => boolean): string {
  const length = countFitting(text.length, (n) => fits(`${text.slice(0, n)}…`));
  return `${text.slice(0, length).trimEnd()}…`;
}

function countFitting(max: number, fits: (n: number) => boolean): number {
  let n = 0;
  while (n < max && fits(n + 1)) n += 1;
  return n;
}

/** In pixels. */
export function widthOf(text: string, style: TextStyle): number {
  return runsOf(text, style).reduce((sum, run) => sum + widthOfRun(run, style), 0);
}

type Run = { font: Font; text: string };

function widthOfRun({ font, text }: Run, style: TextStyle): number {
  return font.getAdvanceWidth(text, style.size, style);
}

function runsOf(text: string, { family }: TextStyle): Run[] {
  const runs: Run[] = [];
  for (const character of text) {
    const font = fontOf(character, family);
    const last = runs.at(-1);
    if (!font) continue;
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character });
  }
  return runs;
}

function fontOf(character: string, family: keyof typeof families): Font | undefined {
  return families[family].map(load).find((font) => font.charToGlyphIndex(character) > 0);
}

function load(name: string): Font {
  const known = loaded.get(name);
  if (known) return known;
  const { buffer, byteOffset, length } = readFileSync(`${import.meta.dirname}/fonts/${name}.woff`);
  const font = opentype.parse(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer);
  loaded.set(name, font);
  return font;
}
