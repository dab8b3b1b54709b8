import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";
import { finish, root } from "./run.mjs";

const ascii = Array.from({ length: 95 }, (_, n) => String.fromCharCode(0x20 + n)).join("");
/** Printable ASCII without code characters, and the typographic characters of our texts. */
const characters = `${ascii.replace(/[\\^`{|}~]/g, "")}\u00a0©·×–—‘’“”•…`;

const fonts = {
  "bricolage-grotesque": { min: 600, max: 700 },
  "instrument-sans": { min: 400, max: 700 },
};

/** Characters for link preview images. Subsetting skips those that a font lacks. */
const latin = String.fromCodePoint(
  ...Array.from({ length: 0x250 - 0x20 }, (_, n) => 0x20 + n).filter((n) => n < 0x7f || n > 0x9f),
  ...Array.from({ length: 0x100 }, (_, n) => 0x1e00 + n),
  ...Array.from({ length: 0x40 }, (_, n) => 0x2010 + n),
  0x20ac,
  0x2122,
  0x2212,
);

const drawnFonts = { "bricolage-grotesque": { wght: 650 }, "instrument-sans": { wght: 500 } };

/**
 * `npm run fonts`: cuts the fonts of pages to the characters that nearly every page needs
 * (`web/ui/fonts.css`). The fonts of link previews are WOFF, because opentype.js can't read Brotli.
 * The license of both fonts is beside them, because the container image includes `server/`.
 */
await finish(async () => {
  for (const [name, wght] of Object.entries(fonts)) {
    const to = join(root, "web/ui/fonts", name);
    const options = { targetFormat: "woff2", variationAxes: { wght } };
    await cut(sourceOf(name, "latin"), { to: `${to}.woff2`, text: characters, ...options });
  }
  const folder = join(root, "server/features/images/fonts");
  mkdirSync(folder, { recursive: true });
  for (const [name, variationAxes] of Object.entries(drawnFonts)) {
    const options = { text: latin, targetFormat: "woff", variationAxes };
    for (const part of ["latin", "latin-ext"])
      await cut(sourceOf(name, part), { to: join(folder, `${name}-${part}.woff`), ...options });
  }
  return 0;
});

function sourceOf(name, part) {
  return join(packageOf(name), `files/${name}-${part}-wght-normal.woff2`);
}

function packageOf(name) {
  return join(root, "node_modules/@fontsource-variable", name);
}

async function cut(from, { to, text, ...options }) {
  const keepFeatures = ["kern", "liga", "tnum"];
  const subset = await subsetFont(readFileSync(from), text, { ...options, keepFeatures });
  writeFileSync(to, subset);
  console.log(`${to.slice(root.length)}: ${subset.length} bytes`);
}
