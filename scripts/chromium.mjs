import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run, step } from "./run.mjs";

/** Preferred to other installed browsers, because it uses less CPU time. */
const headlessShell = "chromium-headless-shell";
const browsers = [
  headlessShell,
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** Installs Chromium if needed. Throws an error with instructions if that fails. */
export async function findChromium() {
  const path =
    installed([process.env.CHROMIUM_PATH]) ??
    onPath([headlessShell]) ??
    (await installWithApt()) ??
    onPath(browsers) ??
    (await installedByPlaywright()) ??
    (await installWithPlaywright());
  if (path) return path;
  throw new Error(
    "The browser tests need Chromium, and it could not be installed. Install it (on Debian: sudo apt-get install chromium), or set CHROMIUM_PATH.",
  );
}

function onPath(names) {
  const folders = process.env.PATH.split(delimiter);
  return installed(names.flatMap((name) => folders.map((folder) => join(folder, name))));
}

/** Returns the first that runs, because Ubuntu's chromium-browser is a stub that needs a snap. */
function installed(paths) {
  return paths.find(
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
  return onPath(browsers);
}

async function installWithPlaywright() {
  await tryStep("Downloading Chromium", ["playwright", "install", "chromium"]);
  return await installedByPlaywright();
}

/** Prints a failure instead of throwing, because another way to install may still succeed. */
async function tryStep(title, command) {
  await step(title, command).catch((error) => console.log(error.message));
}
