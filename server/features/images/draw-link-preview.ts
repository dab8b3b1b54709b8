import sharp, { type OverlayOptions } from "sharp";
import { linkPreviewSize } from "#contract/laptop-page.ts";
import { AppError } from "../../errors.ts";
import { layerOf, outlined, rasterize, showable, type TextStyle, wrap } from "./draw-layers.ts";
import { decode } from "./encode-photo.ts";

export type Brand = { name: string; hasLogo: boolean; main: string; accent: string };

/** `price` (can be "Sold") and `details` must each fit on one line. */
export type LinkPreview = { name: string; price: string; details: string; brand: Brand };

export type LinkPreviewRequest = { preview: LinkPreview; photo: Buffer | undefined };

const { width, height } = linkPreviewSize;
const margin = 56;
const columnWidth = 520;

const textColor = "#f1fcf6";
const nameStyle: TextStyle = { family: "title", size: 48, letterSpacing: -0.02 };
const nameLineHeight = 54;
const maxNameLines = 5;
const priceStyle: TextStyle = { family: "title", size: 72, letterSpacing: -0.03 };
const detailStyle: TextStyle = { family: "detail", size: 28 };
const brandStyle: TextStyle = { family: "title", size: 32, letterSpacing: -0.03 };

/** Returns a JPEG. Runs in `decoder-process.ts`. */
export async function drawLinkPreview({ preview, photo }: LinkPreviewRequest): Promise<Buffer> {
  const picture = photo && (await coverOf(photo));
  const text = await rasterize(drawingOf(preview, { hasPhoto: picture !== undefined }));
  const layers = picture ? [picture, text] : [text];
  const sheet = { width, height, channels: 3, background: preview.brand.main } as const;
  return await sharp({ create: sheet }).composite(layers).jpeg({ quality: 82 }).toBuffer();
}

async function coverOf(photo: Buffer): Promise<OverlayOptions | undefined> {
  const size = { width: width - columnWidth, height, fit: "cover" } as const;
  try {
    return { ...layerOf(await decode(photo, size)), left: columnWidth, top: 0 };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Returns an SVG that contains only shapes, so that no text from a seller is in the markup. */
function drawingOf(preview: LinkPreview, { hasPhoto }: { hasPhoto: boolean }) {
  const { name, price, details, brand } = preview;
  const space = (hasPhoto ? columnWidth : width) - 2 * margin;
  const lines = wrap(showable(name), { width: space, lines: maxNameLines }, nameStyle);
  const x = margin;
  const paths = [
    outlined(
      showable(brand.name),
      { x: brand.hasLogo ? x + 54 : x, y: 91 },
      { ...brandStyle, fill: textColor },
    ),
    ...lines.map((line, n) =>
      outlined(line, { x, y: 192 + n * nameLineHeight }, { ...nameStyle, fill: textColor }),
    ),
    outlined(price, { x, y: 528 }, { ...priceStyle, fill: brand.accent }),
    outlined(details, { x, y: 574 }, { ...detailStyle, fill: textColor }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${hasPhoto ? "" : lanes}${brand.hasLogo ? logoOf(brand) : ""}${paths.join("")}</svg>`;
}

/** Draws web/public/favicon.svg without the background. */
function logoOf({ accent }: Brand): string {
  return `<g transform="translate(${margin - 7} 53) scale(1.6)">
  <g fill="none" stroke="${textColor}" stroke-width="2.8" stroke-linecap="round">
    <rect x="6.5" y="7" width="19" height="12" rx="6" stroke-opacity=".35"/>
    <path d="M6.5 13a6 6 0 0 1 6-6h7a6 6 0 0 1 6 6M5.5 24.5h21"/>
  </g>
  <circle cx="25.5" cy="13" r="2.7" fill="${accent}"/>
</g>`;
}

const lanes = `<g fill="none" stroke="#fff" stroke-opacity=".1" stroke-width="2">${[
  0, 60, 120, 180, 240,
]
  .map(
    (inset) =>
      `<rect x="${270 + inset}" y="${inset - 120}" width="${1640 - 2 * inset}" height="${900 - 2 * inset}" rx="${450 - inset}"/>`,
  )
  .join("")}</g>`;
