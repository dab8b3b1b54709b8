import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { basename, join, matchesGlob, normalize } from "node:path";
import { expect, test } from "vitest";
import { settingNames } from "#server/config.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter(Boolean);
const folders = new Set(
  tracked.flatMap((file) => {
    const parts = file.split("/").slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  }),
);
const topFolders = [...folders].filter((folder) => !folder.includes("/"));
const names = new Set(tracked.map((file) => basename(file)));
const documents = tracked.filter((file) => file.endsWith(".md"));

test("every file and folder that a document names exists", () => {
  const named = documents.flatMap((file) => pathsIn(read(file)).map((path) => ({ file, path })));
  expect(named.filter(({ file, path }) => !exists(path, file))).toEqual([]);
  expect(new Set(named.map(({ path }) => path)).size).toBeGreaterThan(200);
});

test("every decision that code or a document cites is in docs/decisions", () => {
  const cited = tracked
    .filter((file) => /\.(tsx?|mjs|sql|md|css)$/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/\bdecisions\/([a-z][a-z-]+)/g)].map(([, name]) => ({ file, name })),
    );
  expect(cited.length).toBeGreaterThan(100);
  const missing = cited.filter(({ name }) => !tracked.includes(`docs/decisions/${name}.md`));
  expect(missing).toEqual([]);
});

test("there are at most 40 decisions, and each has at most 44 lines", () => {
  const decisions = tracked.filter((file) => file.startsWith("docs/decisions/"));
  expect(decisions.length).toBeLessThanOrEqual(40);
  expect(decisions.filter((file) => read(file).split("\n").length > 45)).toEqual([]);
});

test("docs/screens is below 3 MB", () => {
  const pictures = tracked.filter((file) => file.startsWith("docs/screens/"));
  const bytes = pictures.map((file) => statSync(join(root, file)).size);
  expect(pictures.length).toBeGreaterThan(45);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
});

test("docs/commands.md lists every npm script except postinstall", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read("docs/commands.md").matchAll(/`npm (?:run )?(?!install)([\w:-]+)/g)].map(
    ([, name]) => name,
  );
  const unlisted = ["postinstall"];
  expect([...new Set([...named, ...unlisted])].sort()).toEqual(Object.keys(scripts).sort());
});

test("docs/commands.md separates the owner's commands from the developer's commands", () => {
  const page = read("docs/commands.md");
  const [before = "", owner = "", developer = ""] = page.split(/\n## For an? \w+\n/);
  expect(before).not.toContain("`npm run");
  for (const command of ["admin", "doctor", "stripe", "backup", "restore"])
    expect(owner).toContain(`\`npm run ${command}`);
  for (const command of ["check", "release", "test:deploy", "bench"])
    expect(developer).toContain(`\`npm run ${command}`);
});

test("docs/operations.md explains every setting once, grouped by subject", () => {
  expect(settingNames.length).toBeGreaterThan(20);
  const page = read("docs/operations.md");
  const [, settings = ""] = /\n## Settings\n(.*?)\n## /s.exec(page) ?? [];
  for (const text of [page, settings]) {
    const rows = [...text.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
    expect(rows.toSorted()).toEqual(settingNames.toSorted());
  }
  expect(settings.match(/^### /gm)?.length).toBeGreaterThan(8);
});

test("documents name only npm scripts that exist", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = documents.flatMap((file) =>
    [...read(file).matchAll(/npm run ([\w-]+)/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("every requirement that docs/asvs.md marks as met or partly met names a test or a file", () => {
  const rows = read("docs/asvs.md")
    .split("\n")
    .filter((line) => /^\| \d+\.\d/.test(line));
  expect(rows.length).toBeGreaterThan(100);
  const open = rows.filter((row) => /\| (met|part)/.test(row) && !/`[\w./-]+\.\w+`/.test(row));
  expect(open).toEqual([]);
});

/** Finds link targets, and code spans with a known top folder or file extension. */
function pathsIn(markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(
    ([, target, source]) => target ?? source ?? "",
  );
  const local = links
    .map((link) => link.replace(/#.*/, ""))
    .filter((link) => link !== "" && !/^(https?|mailto):/.test(link));
  const code = [...markdown.matchAll(/`([\w.@*/-]+)`/g)].map(([, span = ""]) => span);
  const isPath = (span: string) =>
    topFolders.includes(span.split("/")[0] ?? "")
      ? span.includes("/")
      : /\.(tsx?|mjs|md|sql|css|grit)$/.test(span);
  return [...local, ...code.filter(isPath)];
}

/** Whether a path exists from the root or the document's folder, or a bare file name anywhere. */
function exists(path: string, document: string): boolean {
  const bare = path.replace(/\/$/, "");
  if (!bare.includes("/") && names.has(bare)) return true;
  const own = normalize(join(document, "..", bare));
  return [bare, own].some(
    (one) =>
      folders.has(one) ||
      tracked.some((file) => file === one || (one.includes("*") && matchesGlob(file, one))),
  );
}
