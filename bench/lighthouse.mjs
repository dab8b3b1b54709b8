import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findChromium } from "../scripts/chromium.mjs";
import { build, install, node24 } from "../scripts/prepare.mjs";
import { environment, finish, root, run } from "../scripts/run.mjs";

/** Asked of the registry when it is wanted: too much to install for a look now and then. */
const lighthouse = ["npx", "--yes", "lighthouse@13.5.0"];
const wanted = ["accessibility", "best-practices", "seo"];
const port = Number(process.env.PORT ?? 4320);
const site = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), "secondlap-lighthouse-"));

/** `npm run lighthouse`: what Lighthouse says of the pages people come to first; less than 100 is a failure. */
await finish(async () => {
  await install();
  await build();
  const CHROME_PATH = await findChromium();
  const server = await start();
  try {
    const scores = {};
    for (const [page, { path, cookie }] of Object.entries(await pages()))
      scores[page] = await scoresOf(`${site}${path}`, { cookie, CHROME_PATH });
    console.table(scores);
    const low = Object.values(scores).some((of) => wanted.some((category) => of[category] < 100));
    return low ? 1 : 0;
  } finally {
    server.kill("SIGTERM");
    await new Promise((over) => server.once("close", over));
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The program with its demo data in a folder of its own, once it serves. */
async function start() {
  const env = environment({
    NODE_ENV: "test",
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    DATA_DIR: join(folder, "data"),
    RATE_LIMIT: "off",
    LOG_LEVEL: "warn",
  });
  const stdio = ["ignore", "inherit", "inherit"];
  const server = spawn(node24(), ["server/main.ts"], { cwd: root, env, stdio });
  const isReady = async () => (await fetch(`${site}/readyz`).catch(() => undefined))?.ok;
  while (server.exitCode === null && !(await isReady())) await wait(500);
  if (server.exitCode !== null) throw new Error("The program did not start.");
  return server;
}

/** A category's page is for members, so its visitor is the demo's buyer. */
async function pages() {
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
async function scoresOf(address, { cookie, CHROME_PATH }) {
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
