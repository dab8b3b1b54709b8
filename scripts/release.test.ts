import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "secondlap-release-"));
const programs = `${folder}-programs`;
afterAll(() => {
  for (const path of [folder, programs]) rmSync(path, { recursive: true, force: true });
});

const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });

/** The fake `docker` records its arguments. */
beforeAll(() => {
  for (const path of [join(folder, "scripts"), join(folder, "docs"), programs])
    mkdirSync(path, { recursive: true });
  for (const script of ["release.mjs", "run.mjs"])
    cpSync(join(import.meta.dirname, script), join(folder, "scripts", script));
  write("package.json", `${JSON.stringify({ name: "secondlap", version: "0.1.0" }, null, 2)}\n`);
  write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n### Added\n\n- A button.\n");
  write("docs/releases.md", "# Releases\n\n## 0.1.0\n\nThe first.\n");
  write(".gitignore", "build/\n");
  writeFileSync(
    join(programs, "docker"),
    `#!/bin/sh\nif [ -e ${programs}/fails ]; then exit 1; fi\necho "$@" >> ${programs}/asked\n`,
    { mode: 0o755 },
  );
  git("init", "--quiet");
  git("config", "user.email", "engineer@example.com");
  git("config", "user.name", "An engineer");
  commitAll();
});

function commitAll() {
  git("add", "--all");
  git("commit", "--quiet", "--message", "Change something");
}

function release(version: string) {
  const { status, stdout, stderr } = spawnSync("node", ["scripts/release.mjs", version], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
  });
  return { status, said: stdout + stderr };
}

test("a release requires upgrade notes and a clean working tree", () => {
  expect(release("0.2.0").said).toContain("Write how to upgrade to 0.2.0 and back");
  write("docs/releases.md", "# Releases\n\n## 0.2.0\n\nBack: restore.\n\n## 0.1.0\n\nThe first.\n");
  expect(release("0.2.0").said).toContain("Commit your changes first.");
  commitAll();
  expect(release("next").said).toContain("Usage: npm run release");
  expect(git("status", "--porcelain") + git("tag")).toBe("");
});

test("a release changes nothing if its image can't be built", () => {
  writeFileSync(join(programs, "fails"), "");
  expect(release("0.2.0").status).toBe(1);
  rmSync(join(programs, "fails"));
  expect(git("status", "--porcelain") + git("tag")).toBe("");
});

test("a release creates an image, notes and a tag for its version", () => {
  expect(release("0.2.0")).toMatchObject({ status: 0 });
  expect(readFileSync(join(programs, "asked"), "utf8")).toBe(
    "build --tag secondlap:0.2.0 --file deploy/Dockerfile .\n",
  );
  expect(JSON.parse(read("package.json")).version).toBe("0.2.0");
  expect(read("CHANGELOG.md")).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n### Added\n\n- A button\.\n$/,
  );
  const notes = "### Added\n\n- A button.\n\n## Upgrade\n\nBack: restore.\n";
  expect(read("build/release-0.2.0.md")).toBe(notes);
  expect(git("tag", "--list", "--format=%(contents)", "v0.2.0")).toBe(`${notes}\n`);
  expect(git("log", "-1", "--format=%s")).toBe("Release 0.2.0\n");
  expect(git("status", "--porcelain")).toBe("");
  expect(release("0.2.0").said).toContain("0.2.0 was released before.");
});
