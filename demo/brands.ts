/**
 * Writes the brand images of the product categories: `node demo/brands.ts`. The marks come from the
 * simple-icons package; Surface, which it does not have, is a plain word of our own.
 */
import { mkdir, writeFile } from "node:fs/promises";
import sharp from "sharp";
import {
  siAcer,
  siApple,
  siAsus,
  siDell,
  siFramework,
  siHp,
  siLenovo,
  siLg,
  siMsi,
  siRazer,
  siSamsung,
} from "simple-icons";

interface Mark {
  readonly title: string;
  /** SVG elements in a box of 24 × 24. */
  readonly drawing: string;
}

/** Razer's own green is too bright to be seen on a light tile, and its lines too thin. */
const razer: Mark = {
  title: siRazer.title,
  drawing: `<path d="${siRazer.path}" fill="#14a034" stroke="#14a034" stroke-width=".28"/>`,
};

const surface = [
  "M9 3.2C8.1 1.4 6.5.7 4.9.7 2.5.7.9 2 .9 4c0 4.8 8.6 2.7 8.6 7.2 0 2.2-1.9 3.6-4.5 3.6-2.2 0-3.8-1-4.5-2.9",
  "M13 5v6.1c0 2.4 1.3 3.7 3.5 3.7s3.7-1.4 3.7-3.7M20.2 5v9.8",
  "M24.4 14.8V5M24.4 9.2c.3-2.6 1.9-4.2 4.3-4.1",
  "M32.2 14.8V3.9c0-2.1 1.1-3.2 3.2-3.1M29.8 5.6h5.4",
  "M47.6 5v9.8M47.6 9.9a4.8 4.9 0 1 1-9.6 0 4.8 4.9 0 1 1 9.6 0",
  "M59.6 6.9A4.8 4.9 0 1 0 59.6 12.9",
  "M63.2 9.8h9.5A4.75 4.9 0 1 0 71.4 13",
].join("");

const marks: Readonly<Record<string, Mark>> = {
  acer: iconMark(siAcer),
  apple: iconMark(siApple),
  asus: iconMark(siAsus),
  dell: iconMark(siDell),
  framework: iconMark(siFramework),
  hp: iconMark(siHp),
  lenovo: iconMark(siLenovo),
  lg: iconMark(siLg),
  msi: iconMark(siMsi),
  razer,
  samsung: iconMark(siSamsung),
  surface: {
    title: "Surface",
    drawing: `<path d="${surface}" transform="translate(.5 8.8) scale(.31)" fill="none" stroke="#5e5e63" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`,
  },
};

function iconMark(icon: { title: string; path: string; hex: string }): Mark {
  return { title: icon.title, drawing: `<path d="${icon.path}" fill="#${icon.hex}"/>` };
}

const tile = 96;
/** Wide words may be wider than compact signs, but all are to weigh about the same on the tile. */
const bounds = { width: 72, height: 52, weight: 47 };

async function brandImage({ title, drawing }: Mark): Promise<string> {
  const ink = await inkOf(drawing);
  const scale = Math.min(
    bounds.width / ink.width,
    bounds.height / ink.height,
    bounds.weight / Math.sqrt(ink.width * ink.height),
  );
  const left = tile / 2 - (ink.left + ink.width / 2) * scale;
  const top = tile / 2 - (ink.top + ink.height / 2) * scale;
  const place = `translate(${short(left)} ${short(top)}) scale(${short(scale)})`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${tile} ${tile}" role="img">`,
    `<title>${title}</title>`,
    `<rect x=".75" y=".75" width="94.5" height="94.5" rx="22" fill="#fbfaf8" stroke="#e6e3dd" stroke-width="1.5"/>`,
    `<g transform="${place}">${drawing}</g></svg>\n`,
  ].join("");
}

/** The box around what is really drawn, in the mark's own units: icons differ in their margins. */
async function inkOf(drawing: string) {
  const zoom = 40;
  const box = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="${24 * zoom}" height="${24 * zoom}">${drawing}</svg>`;
  const { info } = await sharp(Buffer.from(box)).trim().toBuffer({ resolveWithObject: true });
  return {
    left: -(info.trimOffsetLeft ?? 0) / zoom,
    top: -(info.trimOffsetTop ?? 0) / zoom,
    width: info.width / zoom,
    height: info.height / zoom,
  };
}

function short(value: number): string {
  return value.toFixed(3).replace(/\.?0+$/, "");
}

const folder = new URL("../web/public/brands/", import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, mark] of Object.entries(marks)) {
  await writeFile(new URL(`${name}.svg`, folder), await brandImage(mark));
}
