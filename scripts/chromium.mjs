import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, step } from "./run.mjs";

/** First the one without windows: it opens a page with a third of the work. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** The path of a Chromium, brought to this machine where it has none. Throws a sentence. */
export async function findChromium() {
  const path =
    onThisMachine() ??
    (await playwrights()) ??
    (await broughtByDebian()) ??
    (await broughtByPlaywright());
  if (path) return path;
  throw new Error(
    "The tests in the browser need a Chromium, and none could be brought here. Install one (on Debian: sudo apt-get install chromium), or set CHROMIUM_PATH to the one you have.",
  );
}

/** Ubuntu has a chromium-browser that only asks for a snap: what counts is whether it runs. */
function onThisMachine() {
  const { CHROMIUM_PATH, PATH } = process.env;
  const folders = PATH.split(delimiter);
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [CHROMIUM_PATH, ...places].find(
    (path) => path && existsSync(path) && spawnSync(path, ["--version"]).status === 0,
  );
}

/** The Chromium that Playwright's installer has brought earlier. */
async function playwrights() {
  const ask = 'console.log((await import("@playwright/test")).chromium.executablePath())';
  const path = (await run(["node", "--input-type=module", "-e", ask])).output.trim();
  return existsSync(path) ? path : undefined;
}

async function broughtByDebian() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  const install = "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends";
  const either = `${install} chromium-headless-shell || ${install} chromium`;
  await tryStep("Installing Chromium", ["sh", "-c", `apt-get update -q && { ${either}; }`]);
  return onThisMachine();
}

async function broughtByPlaywright() {
  await tryStep("Downloading Chromium", ["playwright", "install", "chromium"]);
  return await playwrights();
}

/** Another way may be left: one that fails only says why. */
async function tryStep(title, command) {
  await step(title, command).catch((error) => console.log(error.message));
}
