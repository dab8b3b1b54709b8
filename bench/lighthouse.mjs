import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findChromium } from "../scripts/chromium.mjs";
import { environment, finish, run } from "../scripts/run.mjs";
import { besideProgram } from "./program.mjs";

/** Asked of the registry when it is wanted: too much to install for a look now and then. */
const lighthouse = ["npx", "--yes", "lighthouse@13.5.0"];
const wanted = ["accessibility", "best-practices", "seo"];

/** `npm run lighthouse`: what Lighthouse says of the pages people come to first; less than 100 is a failure. */
await finish(() =>
  besideProgram(async ({ site, folder }) => {
    const CHROME_PATH = await findChromium();
    const scores = {};
    for (const [page, { path, cookie }] of Object.entries(await pages(site)))
      scores[page] = await scoresOf(`${site}${path}`, { cookie, folder, CHROME_PATH });
    console.table(scores);
    const low = Object.values(scores).some((of) => wanted.some((category) => of[category] < 100));
    return low ? 1 : 0;
  }),
);

/** A category's page is for members, so its visitor is the demo's buyer. */
async function pages(site) {
  const [category] = await (await fetch(`${site}/api/categories`)).json();
  const entered = await fetch(`${site}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: site },
    body: JSON.stringify({ email: "buyer@demo.test", password: "Demo#2026" }),
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  return {
    Home: { path: "/" },
    Category: { path: `/categoryProducts/${category._id}`, cookie },
    Login: { path: "/login" },
    "Sign up": { path: "/signup" },
    Blogs: { path: "/blogs" },
  };
}

/** Scores from 0 to 100 by category; what costs points is printed. */
async function scoresOf(address, { cookie, folder, CHROME_PATH }) {
  const report = join(folder, "report.json");
  // Chromium refuses its sandbox as root; what it opens here is our own program.
  const chrome = `--headless=new --disable-gpu${process.getuid?.() === 0 ? " --no-sandbox" : ""}`;
  const { code, output } = await run(
    [
      ...lighthouse,
      address,
      "--quiet",
      "--output=json",
      `--output-path=${report}`,
      `--only-categories=${wanted.join(",")},performance`,
      `--chrome-flags=${chrome}`,
      ...(cookie ? ["--extra-headers", JSON.stringify({ cookie })] : []),
    ],
    { env: environment({ CHROME_PATH }) },
  );
  if (code !== 0) throw new Error(output);
  const { categories, audits, finalDisplayedUrl } = JSON.parse(readFileSync(report, "utf8"));
  if (finalDisplayedUrl !== address) throw new Error(`${address} led to ${finalDisplayedUrl}.`);
  for (const { id, auditRefs } of Object.values(categories))
    for (const { id: audit, weight } of auditRefs)
      if (
        wanted.includes(id) &&
        weight > 0 &&
        audits[audit].score < 1 &&
        audits[audit].score !== null
      )
        console.log(
          `${address} ${id}: ${audits[audit].title}`,
          JSON.stringify(audits[audit].details?.items?.slice(0, 3)),
        );
  return Object.fromEntries(
    Object.entries(categories).map(([id, { score }]) => [id, Math.round(score * 100)]),
  );
}
