import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingNames } from "#server/config.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const values = [...read("deploy/one-machine/values.example").matchAll(/^(\w+)=/gm)].map(
  ([, name = ""]) => name,
);

test("install.sh uses at most twelve values, and docs/install.md explains each of them", () => {
  expect(values.length).toBeLessThanOrEqual(12);
  const page = read("docs/install.md");
  const explained = [...page.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap(
    ([, names = ""]) => names.split(", ").map((name) => name.replaceAll("`", "")),
  );
  expect(explained.toSorted()).toEqual(values.toSorted());
  const files = ["install.sh", "alertmanager.yml", "secondlap-backup-copy.service"];
  const used = files.map((file) => read(`deploy/one-machine/${file}`)).join("\n");
  for (const name of values) expect(used).toMatch(new RegExp(`[\\s$"{@]${name}\\b`));
});

test("install.sh writes only existing settings, and docs/operations.md explains every setting once, grouped by subject", () => {
  const script = read("deploy/one-machine/install.sh");
  const [, written = ""] = /"\$etc\/settings" <<END\n(.*?)\nEND\n/s.exec(script) ?? [];
  const names = written.split("\n").map((line) => line.split("=")[0]);
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) expect(settingNames).toContain(name);
  const page = read("docs/operations.md");
  const [, settings = ""] = /\n## Settings\n(.*?)\n## /s.exec(page) ?? [];
  const rows = [...settings.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(settingNames.toSorted());
  expect(settings.match(/^### /gm)?.length).toBeGreaterThan(8);
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
