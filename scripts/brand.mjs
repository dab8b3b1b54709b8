import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import sharp from "sharp";
import { listings, photoOf } from "../demo/listings.ts";
import { findChromium } from "./chromium.mjs";
import { finish, root } from "./run.mjs";

const target = join(root, "web/public");
const green = "#005b46";

/** `npm run brand`: draws the icons and the link preview image from the logo. */
await finish(async () => {
  const mark = await readFile(join(target, "favicon.svg"), "utf8");
  await drawIcon(mark, { size: 192, file: "icon-192.png" });
  await drawIcon(mark, { size: 512, file: "icon-512.png" });
  // Phones crop these icons to their own shape, so the icons have a margin and no transparency.
  await drawIcon(mark, { size: 180, file: "apple-touch-icon.png", margin: 0.04 });
  await drawIcon(mark, { size: 512, file: "icon-maskable-512.png", margin: 0.1 });
  await drawLinkPreview(mark);
});

async function drawIcon(mark, { size, file, margin = 0 }) {
  const inner = Math.round(size * (1 - 2 * margin));
  const icon = await sharp(Buffer.from(mark), { density: 1200 })
    .resize(inner, inner)
    .png()
    .toBuffer();
  const background = margin === 0 ? { r: 0, g: 0, b: 0, alpha: 0 } : green;
  const sheet = { width: size, height: size, channels: 4, background };
  await sharp({ create: sheet })
    .composite([{ input: icon }])
    .png({ palette: true })
    .toFile(join(target, file));
}

/** Draws an image of 1200 × 630 pixels, as Open Graph recommends. */
async function drawLinkPreview(mark) {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(await linkPreviewHtml(mark));
  await page.evaluate("document.fonts.ready");
  const screenshot = await page.screenshot();
  await browser.close();
  await sharp(screenshot).jpeg({ quality: 82, mozjpeg: true }).toFile(join(target, "social.jpg"));
}

async function linkPreviewHtml(mark) {
  const photo = await readFile(photoOf(listings.find(({ advertise }) => advertise)));
  const font = await readFile(
    join(
      root,
      "node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2",
    ),
  );
  const lanes = [0, 60, 120, 180, 240]
    .map(
      (inset) =>
        `<rect x="${inset + 30}" y="${inset + 30}" width="${1640 - 2 * inset}" height="${900 - 2 * inset}" rx="${450 - inset}"/>`,
    )
    .join("");
  return `<style>
    @font-face { font-family: Bricolage; src: url(data:font/woff2;base64,${font.toString("base64")}); font-weight: 200 800 }
    body { margin: 0; width: 1200px; height: 630px; overflow: hidden; background: ${green}; color: #f1fcf6; font-family: Bricolage }
    .lanes { position: absolute; left: 240px; top: -150px }
    .name { position: absolute; left: 72px; top: 64px; display: flex; align-items: center; gap: 18px; font-size: 44px; font-weight: 700; letter-spacing: -0.035em }
    .name svg { width: 64px; height: 64px }
    h1 { position: absolute; left: 72px; bottom: 64px; margin: 0; width: 540px; font-size: 92px; font-weight: 650; line-height: 0.98; letter-spacing: -0.035em }
    h1 em { font-style: normal; color: #fbb862 }
    img { position: absolute; left: 640px; top: 105px; width: 620px; border-radius: 28px; box-shadow: 0 30px 80px -20px #0008 }
  </style>
  <svg class="lanes" width="1700" height="960" fill="none" stroke="#fff" stroke-opacity=".1" stroke-width="2">${lanes}</svg>
  <div class="name">${mark.replace(green, "#0a6d56")}Secondlap</div>
  <img src="data:image/webp;base64,${photo.toString("base64")}">
  <h1>Good laptops, <em>second lap</em></h1>`;
}
