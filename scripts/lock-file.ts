import { readFileSync, writeFileSync } from "node:fs";

type Locked = {
  version: string;
  cpu?: string[];
  dev?: true;
  libc?: string[];
  optional?: true;
  os?: string[];
  optionalDependencies?: Record<string, string>;
};

// Adds optional packages that npm left out because its registry didn't have them at the time.
// Otherwise, `npm ci` in npm 11 rejects the lock file.
const path = "package-lock.json";
const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(path, "utf8"));
const missing = Object.entries(lock.packages).flatMap(([at, { dev, optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !isLocked(at, name))
    .map(([name, version]) => [name, packageFor(name, { version, ...(dev && { dev }) })] as const),
);

if (missing.length > 0 && process.argv.includes("--verify")) {
  const names = missing.map(([name]) => name).join(", ");
  console.error(`package-lock.json lacks ${names}. Run: npm run lock-file`);
  process.exitCode = 1;
} else if (missing.length > 0) {
  const added = Object.fromEntries(missing.map(([name, is]) => [`node_modules/${name}`, is]));
  const packages = Object.entries({ ...lock.packages, ...added });
  packages.sort(([one], [other]) => one.localeCompare(other, "en"));
  const complete = { ...lock, packages: Object.fromEntries(packages) };
  writeFileSync(path, `${JSON.stringify(complete, null, 2)}\n`);
}

/** Whether the lock file has the package where Node looks: in the folder `at`, then in parents. */
function isLocked(at: string, name: string): boolean {
  if (lock.packages[`${at ? `${at}/` : ""}node_modules/${name}`]) return true;
  return at !== "" && isLocked(at.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

/** Makes an entry. The name contains the platform, as in `oxide-linux-arm64-musl`. */
function packageFor(name: string, { version, dev }: Pick<Locked, "version" | "dev">): Locked {
  if (!/^\d/.test(version)) throw new Error(`${name}@${version}: add it by hand, with a version.`);
  const words = name.replace("gnueabihf", "").split(/[/-]/);
  const [os] = ["android", "darwin", "freebsd", "linux", "win32"].filter((one) =>
    words.includes(one),
  );
  const [cpu] = ["arm", "arm64", "x64", "wasm32"].filter((one) => words.includes(one));
  if (!cpu) throw new Error(`${name}: add it by hand, its name has no CPU.`);
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(words.includes("musl") && { libc: ["musl"] }),
    optional: true,
    ...(os && { os: [os] }),
  };
}
