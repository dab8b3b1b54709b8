import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { laptopPath } from "../../contract/page-paths.ts";
import { findChromium } from "../../scripts/chromium.mjs";
import { environment, finish, run } from "../../scripts/run.mjs";
import { besideProgram } from "./program.mjs";

/** Downloaded when needed, because Lighthouse is too large to install for rare measurements. */
const lighthouse = ["npx", "--yes", "lighthouse@13.5.0"];
const required = ["accessibility", "best-practices", "seo"];

/** Returns medians with mobile settings. Scores are 0 to 100, times are in milliseconds. */
export async function measureLighthouse(runs) {
  return await besideProgram(async ({ site, folder }) => {
    const CHROME_PATH = await findChromium();
    const pages = {};
    const profile = await signInBuyer(site, { folder, CHROME_PATH });
    for (const [page, { path, asBuyer }] of Object.entries(await pagesOf(site))) {
      const found = [];
      const options = { folder, CHROME_PATH, ...(asBuyer && { profile }) };
      for (let left = runs; left > 0; left -= 1)
        found.push(await runOrRetry(`${site}${path}`, options));
      pages[page] = medians(found);
      console.log(page, pages[page]);
    }
    return pages;
  });
}

/** Returns the folder of a browser profile in which the demo buyer is signed in. */
async function signInBuyer(site, { folder, CHROME_PATH }) {
  const profile = join(folder, "buyer");
  const browser = await chromium.launchPersistentContext(profile, { executablePath: CHROME_PATH });
  const [page] = browser.pages();
  await page.goto(`${site}/login`);
  await page.getByLabel("Email").fill("buyer@demo.test");
  await page.getByLabel("Password", { exact: true }).fill("Demo#2026");
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForFunction(() => localStorage.accessToken !== undefined);
  await browser.close();
  return profile;
}

/** Lists the pages to measure. Category pages require login, so the demo buyer opens them. */
async function pagesOf(site) {
  const read = async (path) => await (await fetch(`${site}/api${path}`)).json();
  const [category] = await read("/categories");
  const [laptop] = (await read("/search?limit=1")).items;
  return {
    Home: { path: "/" },
    Category: { path: `/categoryProducts/${category._id}`, asBuyer: true },
    // Pages with search words ask crawlers not to index them, which costs points.
    Search: { path: "/search" },
    Laptop: { path: laptopPath(laptop._id, laptop.product_name) },
    Login: { path: "/login" },
    "Sign up": { path: "/signup" },
    Blogs: { path: "/blogs" },
  };
}

/** Retries once, because Chromium sometimes records no trace. */
async function runOrRetry(address, options) {
  try {
    return await runOnce(address, options);
  } catch (error) {
    if (!String(error).includes("Please run Lighthouse again")) throw error;
    return await runOnce(address, options);
  }
}

/** Measures a page, and prints what costs points in a required category. */
async function runOnce(address, { profile, folder, CHROME_PATH }) {
  const report = join(folder, "report.json");
  // Chromium's sandbox doesn't work as root, and isn't needed for our own pages.
  const flags = ["--headless=new", "--disable-gpu"];
  if (process.getuid?.() === 0) flags.push("--no-sandbox");
  if (profile) {
    // Empties the cache. The cookie and the token remain, so the buyer stays signed in.
    rmSync(join(profile, "Default/Cache"), { recursive: true, force: true });
    rmSync(join(profile, "Default/Code Cache"), { recursive: true, force: true });
    flags.push(`--user-data-dir=${profile}`);
  }
  const { code, output } = await run(
    [
      ...lighthouse,
      address,
      "--quiet",
      "--output=json",
      `--output-path=${report}`,
      `--only-categories=${required.join(",")},performance`,
      `--chrome-flags=${flags.join(" ")}`,
      ...(profile ? ["--disable-storage-reset"] : []),
    ],
    { env: environment({ CHROME_PATH }) },
  );
  if (code !== 0) throw new Error(output);
  const {
    categories,
    audits,
    environment: machine,
    finalDisplayedUrl,
  } = JSON.parse(readFileSync(report, "utf8"));
  if (finalDisplayedUrl !== address) throw new Error(`${address} led to ${finalDisplayedUrl}.`);
  printFailures(address, { categories, audits });
  const scores = Object.entries(categories).map(([id, { score }]) => [id, Math.round(score * 100)]);
  return {
    ...Object.fromEntries(scores),
    lcpMs: Math.round(audits["largest-contentful-paint"].numericValue),
    tbtMs: Math.round(audits["total-blocking-time"].numericValue),
    cls: Number(audits["cumulative-layout-shift"].numericValue.toFixed(3)),
    // Lighthouse's score for the speed of this machine.
    machine: Math.round(machine.benchmarkIndex),
  };
}

function printFailures(address, { categories, audits }) {
  for (const id of required)
    for (const { id: audit, weight } of categories[id].auditRefs) {
      const { score, title, details } = audits[audit];
      if (weight > 0 && score !== null && score < 1)
        console.log(`${address} ${id}: ${title}`, JSON.stringify(details?.items?.slice(0, 3)));
    }
}

function medians(found) {
  const median = (name) =>
    found.map((one) => one[name]).toSorted((one, other) => one - other)[found.length >> 1];
  return Object.fromEntries(Object.keys(found[0]).map((name) => [name, median(name)]));
}

/** `npm run lighthouse`: fails if a required category is below 100 on a page. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await finish(async () => {
    const pages = await measureLighthouse(1);
    console.table(pages);
    const isLow = (of) => required.some((category) => of[category] < 100);
    return Object.values(pages).some(isLow) ? 1 : 0;
  });
