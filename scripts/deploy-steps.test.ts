import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { settingNames } from "#server/config.ts";

const root = join(import.meta.dirname, "..");
const deploy = join(root, "deploy");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const unit = read("deploy/systemd/secondlap@.service");
const folder = mkdtempSync(join(tmpdir(), "secondlap-deploy-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a running node keeps its version's files after an upgrade repoints the symlink", async () => {
  const [, link = ""] = /^WorkingDirectory=\/opt\/(.*)$/m.exec(unit) ?? [];
  const [, program = ""] = /^ExecStart=\S+\/node .*?(server\/main\.ts)$/m.exec(unit) ?? [];
  for (const version of ["1", "2"]) {
    const own = join(folder, `${link}-${version}`, "server");
    mkdirSync(own, { recursive: true });
    writeFileSync(
      join(own, "main.ts"),
      `import { spawn } from "node:child_process";
      import { readFileSync } from "node:fs";
      import { fileURLToPath } from "node:url";
      process.stdin.once("data", async () => {
        console.log((await import("./late.ts")).version, readFileSync("server/read.txt", "utf8"));
        const child = fileURLToPath(new URL("./late.ts", import.meta.url));
        spawn(process.execPath, [child], { stdio: "inherit" }).once("exit", () => process.exit());
      });
      console.log("ready");`,
    );
    writeFileSync(
      join(own, "late.ts"),
      `export const version = ${version};\nconsole.log(version);`,
    );
    writeFileSync(join(own, "read.txt"), version);
  }
  symlinkSync(`${link}-1`, join(folder, link));
  const node = spawn(process.execPath, [program], { cwd: join(folder, link) });
  let said = "";
  node.stdout.on("data", (bytes) => {
    said += bytes;
  });
  await once(node.stdout, "data");
  // The steps from "Upgrade" in docs/operations.md.
  symlinkSync(`${link}-2`, join(folder, `${link}.new`));
  renameSync(join(folder, `${link}.new`), join(folder, link));
  node.stdin.write("go on\n");
  await once(node, "close");
  expect(said).toBe("ready\n1\n1 1\n1\n");
});

test("a replica restarts an interrupted copy of the primary, but doesn't repeat a finished one", () => {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  // This stand-in fails and leaves files, like an interrupted copy, unless FINISH is set.
  writeFileSync(
    join(programs, "pg_basebackup"),
    `#!/bin/bash
    while [ "$1" != --pgdata ]; do shift; done
    mkdir -p "$2" && echo 18 > "$2/PG_VERSION" && [ -n "\${FINISH:-}" ] && touch "$2/finished"`,
    { mode: 0o755 },
  );
  const data = join(folder, "18/replica");
  const PATH = `${programs}:${process.env.PATH}`;
  writeFileSync(join(folder, "password"), "secret");
  const copy = (env: Record<string, string>) =>
    spawnSync("bash", [join(deploy, "compose/replica.sh"), "ls", data], {
      env: { PATH, PGDATA: data, PRIMARY: "postgres", ...env },
      encoding: "utf8",
    }).stdout;
  const POSTGRES_PASSWORD_FILE = join(folder, "password");
  expect(copy({ POSTGRES_PASSWORD_FILE })).toBe("");
  expect(copy({ POSTGRES_PASSWORD_FILE, FINISH: "1" })).toBe("PG_VERSION\nfinished\n");
  expect(copy({ POSTGRES_PASSWORD_FILE })).toBe("PG_VERSION\nfinished\n");
});

test("docs/backup.md has the same archive settings as Compose", () => {
  const text = read("docs/backup.md");
  const file = parse(read("deploy/compose/compose.archive.yaml"));
  const command: string[] = file.services.postgres.command;
  const settings = command.filter((option) => option.startsWith("archive_"));
  expect(settings).toHaveLength(3);
  for (const setting of settings) {
    const [, name, value = ""] = /^(\w+)=(.*)$/.exec(setting) ?? [];
    expect(text).toContain(`\n${name} = ${value.includes(" ") ? `'${value}'` : value}\n`);
  }
  // An override replaces the whole command, so it must repeat the base file's options.
  const base = parse(read("deploy/compose/compose.yaml"), { merge: true });
  expect(command).toEqual(expect.arrayContaining(base.services.postgres.command));
});

test("docs/operations.md explains every alert", () => {
  const rules = read("deploy/prometheus/alerts.yml");
  const text = read("docs/operations.md");
  const alerts = [...rules.matchAll(/- alert: (\w+)$/gm)].map(([, name]) => name);
  const rows = [...text.matchAll(/^\| `(Secondlap\w+)` \| .{40}/gm)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(10);
  expect(rows.toSorted()).toEqual(alerts.toSorted());
});

test("install.sh uses at most twelve values, and docs/install.md explains each of them", () => {
  const values = [...read("deploy/one-machine/values.example").matchAll(/^(\w+)=/gm)].map(
    ([, name = ""]) => name,
  );
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

test("install.sh writes only existing settings", () => {
  const script = read("deploy/one-machine/install.sh");
  const [, written = ""] = /"\$etc\/settings" <<END\n(.*?)\nEND\n/s.exec(script) ?? [];
  const names = written.split("\n").map((line) => line.split("=")[0]);
  expect(names.length).toBeGreaterThan(4);
  for (const name of names) expect(settingNames).toContain(name);
});
