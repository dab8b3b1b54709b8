import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, step } from "./run.mjs";

/** The headless shell first: it needs a third of the CPU time per page. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** The path of a Chromium; installs one if there is none. Throws an error that says what to do. */
export async function findChromium() {
  const path =
    installed() ??
    (await installedByPlaywright()) ??
    (await installWithApt()) ??
    (await installWithPlaywright());
  if (path) return path;
  throw new Error(
    "The browser tests need Chromium, and it could not be installed. Install it (on Debian: sudo apt-get install chromium), or set CHROMIUM_PATH.",
  );
}

/** Runs each candidate, because Ubuntu's chromium-browser is only a stub that asks for a snap. */
function installed() {
  const { CHROMIUM_PATH, PATH } = process.env;
  const folders = PATH.split(delimiter);
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [CHROMIUM_PATH, ...places].find(
    (path) => path && existsSync(path) && spawnSync(path, ["--version"]).status === 0,
  );
}

async function installedByPlaywright() {
  const ask = 'console.log((await import("@playwright/test")).chromium.executablePath())';
  const path = (await run(["node", "--input-type=module", "-e", ask])).output.trim();
  return existsSync(path) ? path : undefined;
}

async function installWithApt() {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  const install = "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends";
  const either = `${install} chromium-headless-shell || ${install} chromium`;
  await tryStep("Installing Chromium", ["sh", "-c", `apt-get update -q && { ${either}; }`]);
  return installed();
}

async function installWithPlaywright() {
  await tryStep("Downloading Chromium", ["playwright", "install", "chromium"]);
  return await installedByPlaywright();
}

/** Prints a failure instead of throwing, because another way may be left. */
async function tryStep(title, command) {
  await step(title, command).catch((error) => console.log(error.message));
}
