import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";
import { finish, root } from "./run.mjs";

/** Printable ASCII without what only code uses, and the typographic characters of our texts. */
const ascii = Array.from({ length: 95 }, (_, n) => String.fromCharCode(0x20 + n)).join("");
const characters = `${ascii.replace(/[\\^`{|}~]/g, "")}\u00a0©·×–—‘’“”•…`;

const fonts = {
  "bricolage-grotesque": { min: 600, max: 700 },
  "instrument-sans": { min: 400, max: 700 },
};

/**
 * `npm run fonts`: cuts the fonts down to what nearly every page needs, into `web/ui/fonts`. Other characters
 * come from the whole fonts when a page has them (`web/ui/fonts.css`).
 */
await finish(async () => {
  for (const [name, wght] of Object.entries(fonts)) {
    const from = join(root, "node_modules/@fontsource-variable", name);
    const to = join(root, "web/ui/fonts", name);
    const subset = await subsetFont(
      readFileSync(join(from, `files/${name}-latin-wght-normal.woff2`)),
      characters,
      { targetFormat: "woff2", variationAxes: { wght }, keepFeatures: ["kern", "liga", "tnum"] },
    );
    writeFileSync(`${to}.woff2`, subset);
    copyFileSync(join(from, "LICENSE"), `${to}.license.txt`);
    console.log(`${name}: ${subset.length} bytes`);
  }
  return 0;
});
