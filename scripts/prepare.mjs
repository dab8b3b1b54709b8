import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { environment, root, step } from "./run.mjs";

// Plain JavaScript without packages, because this file runs before `npm ci`, on Node 20 or newer.

/** Runs `npm ci` if node_modules lacks a package or version from package-lock.json. */
export async function install() {
  if (isInstalled()) return;
  // `npm ci` deletes node_modules, so it must not run on the Node.js that is installed there.
  const PATH = process.env.PATH.split(delimiter)
    .filter((folder) => !folder.startsWith(join(root, "node_modules")))
    .join(delimiter);
  // With NODE_ENV=production, npm would leave out the build tools.
  const ci = ["npm", "ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  await step("Installing packages", ci, { env: { ...process.env, PATH } });
}

/** Whether node_modules is up to date. Optional packages for other platforms may be missing. */
function isInstalled() {
  const wanted = packagesOf("package-lock.json");
  const found = packagesOf("node_modules/.package-lock.json");
  return Object.entries(wanted).every(
    ([at, { version, optional }]) =>
      at === "" || found[at]?.version === version || (optional && !found[at]),
  );
}

function packagesOf(path) {
  const lock = join(root, path);
  return existsSync(lock) ? JSON.parse(readFileSync(lock, "utf8")).packages : {};
}

/** Installs tools that only some tests need into `folder`. `packages` maps names to versions. */
export async function installTools(title, folder, packages) {
  const isThere = ([name, version]) => {
    const manifest = join(folder, "node_modules", name, "package.json");
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  };
  if (Object.entries(packages).every(isThere)) return;
  const names = Object.entries(packages).map((pair) => pair.join("@"));
  const options = ["--prefix", folder, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts"];
  await step(title, ["npm", "install", ...options, "--loglevel=error", ...names]);
}

/** Builds the web app if its sources have changed since the last build. */
export async function build() {
  const stamp = join(root, "build/sources");
  const sources = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return;
  rmSync(stamp, { force: true });
  const env = environment({ NODE_ENV: "production" });
  await step("Building the web app", ["react-router", "build"], { env });
  writeFileSync(stamp, sources);
}

function fingerprint() {
  const hash = createHash("sha256");
  const folders = ["web", "contract", "scripts/patches"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const files = [
    "package-lock.json",
    "vite.config.ts",
    "react-router.config.ts",
    ...folders.sort(),
  ];
  for (const file of files) {
    const path = join(root, file);
    if (statSync(path).isFile()) hash.update(`${file}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** Limits V8's young generation (decisions/performance). */
export function serverCommand() {
  return [node24(), "--max-semi-space-size=8", "server/main.ts"];
}

/** Makes glibc keep less freed memory (decisions/performance). */
export function serverEnvironment(more = {}) {
  return environment({ MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "1000000", ...more });
}

/** Returns the Node in node_modules or, if npm has none for this platform, the running Node. */
export function node24() {
  const own = join(root, "node_modules/node/bin/node");
  if (existsSync(own)) return own;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  throw new Error(
    `Secondlap needs Node 24. npm has none for ${process.platform}-${process.arch}, and yours is ${process.version}. Please install Node 24.`,
  );
}
