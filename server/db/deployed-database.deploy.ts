import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { signUpAt } from "../testing/browser.ts";
import { freePort } from "../testing/free-port.ts";
import { callsOver, listing } from "../testing/marketplace.ts";
import {
  freePorts,
  killPrograms,
  type Program,
  run,
  waitForExit,
  waitForReady,
} from "../testing/program.ts";
import { type Account, unprivilegedAccount } from "./embedded-postgres/programs.ts";

const deploy = fileURLToPath(new URL("../../deploy/compose/", import.meta.url));
/** The newest PostgreSQL among Debian's packages. */
const programs = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1) ?? "";
const password = "a password of this test";

let folder: string;
let account: Account | undefined;
let primaryPort: number;
let replicaPort: number;
let poolerPort: number;
const running: ChildProcess[] = [];

const inFolder = (name: string) => join(folder, name);
const databaseUrl = (port: number, user = "secondlap") =>
  `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/secondlap`;

function start(command: string[], env: Record<string, string> = {}): ChildProcess {
  const [name = "", ...args] = command;
  const options: SpawnOptions = { ...account, cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  const PATH = `${programs}:/usr/bin:/bin:/usr/sbin`;
  const child = spawn(name, args, { ...options, env: { PATH, LC_ALL: "C", ...env } });
  running.push(child);
  return child;
}

async function finished(command: string[], env: Record<string, string> = {}): Promise<void> {
  const [code] = await once(start(command, env), "exit");
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
}

async function stop(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function ask(url: string, statement: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const answers = (url: string) =>
  vi.waitFor(() => ask(url, "select"), { timeout: 60_000, interval: 200 });

function postgres(data: string, port: number, settings: Record<string, string> = {}): string[] {
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: folder, ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["postgres", "-D", inFolder(data), "-p", String(port), ...options];
}

function settingsOf(options: string[]): Record<string, string> {
  const own = options.map((option) => option.replaceAll("/archive/", `${inFolder("archive")}/`));
  return Object.fromEntries(own.map((option) => option.split(/=(.*)/s).slice(0, 2)));
}

async function archiving(): Promise<Record<string, string>> {
  const file = parse(await readFile(join(deploy, "compose.archive.yaml"), "utf8"));
  const [, ...options]: string[] = file.services.postgres.command;
  return settingsOf(options.filter((option) => option.startsWith("archive_")));
}

/** The restore settings from docs/backup.md ("With Compose"). */
async function restoring(time: string): Promise<Record<string, string>> {
  const text = await readFile(new URL("../../docs/backup.md", import.meta.url), "utf8");
  const [, command = ""] = /run --rm --no-deps postgres postgres (.*?)\n```/s.exec(text) ?? [];
  const options = [...command.matchAll(/-c (\w+)=(?:'(.*?)'|(\S+))/g)];
  const settings = options.map(([, name, quoted, bare]) => `${name}=${quoted ?? bare}`);
  return { ...settingsOf(settings), recovery_target_time: time };
}

async function startPrimary(): Promise<ChildProcess> {
  await writeFile(inFolder("password"), password);
  const data = inFolder("primary");
  const options = ["-U", "postgres", "-A", "scram-sha-256", "--pwfile", inFolder("password")];
  await finished(["initdb", "-D", data, ...options, "-E", "UTF8"]);
  const server = start(
    postgres("primary", primaryPort, { max_connections: "100", ...(await archiving()) }),
  );
  const admin = databaseUrl(primaryPort, "postgres");
  await answers(admin.replace(/secondlap$/, "postgres"));
  await ask(admin.replace(/secondlap$/, "postgres"), "create database secondlap");
  await finished(["bash", join(folder, "compose/primary.sh")], {
    PGDATA: data,
    PGHOST: "127.0.0.1",
    PGPORT: String(primaryPort),
    PGUSER: "postgres",
    PGPASSWORD: password,
    POSTGRES_DB: "secondlap",
    POSTGRES_PASSWORD_FILE: inFolder("password"),
  });
  await ask(admin, "select pg_reload_conf()");
  return server;
}

async function startReplica(): Promise<void> {
  const command = postgres("replica", replicaPort, { hot_standby_feedback: "on" });
  start(["bash", join(folder, "compose/replica.sh"), ...command], {
    PGDATA: inFolder("replica"),
    PRIMARY: "127.0.0.1",
    PRIMARY_PORT: String(primaryPort),
    POSTGRES_PASSWORD_FILE: inFolder("password"),
  });
  await answers(databaseUrl(replicaPort));
}

async function startPooler(): Promise<void> {
  await writeFile(inFolder("pooler_users"), `"secondlap" "${password}"\n`);
  const settings = await readFile(join(deploy, "pgbouncer.ini"), "utf8");
  const own = settings
    .replace("host=postgres port=5432", `host=127.0.0.1 port=${primaryPort}`)
    .replace("listen_port = 6432", `listen_port = ${poolerPort}`)
    .replace("/run/secrets/pooler_users", inFolder("pooler_users"));
  await writeFile(inFolder("pgbouncer.ini"), own);
  start(["pgbouncer", "-q", inFolder("pgbouncer.ini")]);
  await answers(databaseUrl(poolerPort));
}

let primary: ChildProcess;

beforeAll(async () => {
  account = await unprivilegedAccount();
  folder = await mkdtemp(join(tmpdir(), "secondlap-deployed-"));
  [primaryPort, replicaPort, poolerPort] = [await freePort(), await freePort(), await freePort()];
  await mkdir(inFolder("archive"));
  // PostgreSQL's account can't read a checkout that root owns.
  await cp(deploy, inFolder("compose"), { recursive: true });
  await chmod(folder, 0o755);
  if (account)
    for (const path of [folder, inFolder("archive")]) await chown(path, account.uid, account.gid);
  primary = await startPrimary();
  await startReplica();
  await startPooler();
});
afterAll(async () => {
  killPrograms();
  for (const child of running.toReversed()) await stop(child, "SIGQUIT");
  await rm(folder, { recursive: true, force: true });
});

async function startNode(
  settings: Record<string, string>,
): Promise<{ node: Program; url: string }> {
  const ports = await freePorts();
  const secret = { SECRET: "s".repeat(32), DATA_DIR: inFolder("data") };
  const node = run({ ...ports, ...secret, ...settings });
  await waitForReady(node);
  return { node, url: `http://127.0.0.1:${ports.PORT}` };
}

const statuses = (url: string, products: string[]) =>
  Promise.all(products.map(async (id) => (await fetch(`${url}/api/products/byId/${id}`)).status));

test("archiving a WAL file again after a crash succeeds, but another file with the same name is rejected", async () => {
  const { archive_command: command = "" } = await archiving();
  const archive = (file: string) =>
    finished(["sh", "-c", command.replaceAll("%p", file).replaceAll("%f", "a-log")]);
  for (const name of ["first", "other"]) await writeFile(inFolder(name), name);
  await archive("first");
  // As PostgreSQL does after a crash in which it didn't record the first attempt.
  await archive("first");
  await expect(archive("other")).rejects.toThrow("ended with 1");
  expect(await readFile(inFolder("archive/a-log"), "utf8")).toBe("first");
  expect(await readdir(inFolder("archive"))).not.toContain("a-log.new");
});

test("a node uses the primary, the replica and the pooler, and a point-in-time restore contains only earlier listings", async () => {
  const metricsPort = await freePort();
  const { node, url } = await startNode({
    DATABASE_URL: databaseUrl(poolerPort),
    DATABASE_DIRECT_URL: databaseUrl(primaryPort),
    DATABASE_REPLICA_URL: databaseUrl(replicaPort),
    METRICS_PORT: String(metricsPort),
  });
  const metrics = async () => await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^secondlap_replica_used\{.*\} 1$/m);

  const copied = inFolder("archive/base/2026-11-23");
  const from = ["-d", databaseUrl(primaryPort, "replica")];
  await finished(["pg_basebackup", "--checkpoint=fast", `--pgdata=${copied}`, ...from]);
  const caller = callsOver(await signUpAt(url, "seller@example.com", "seller"));
  const kept = await listing(caller);
  const [{ now = "" } = {}] = await ask(databaseUrl(primaryPort), "select now()::text");
  const lost = await listing(caller);
  expect(await statuses(url, [kept, lost])).toEqual([200, 200]);
  // Archives the last writes immediately. `archive_timeout` would take a minute.
  await ask(databaseUrl(primaryPort, "postgres"), "select pg_switch_wal()");
  node.child.kill("SIGTERM");
  expect((await waitForExit(node)).code).toBe(0);
  await stop(primary, "SIGQUIT");

  await finished(["cp", "-a", copied, inFolder("restored")]);
  await finished(["touch", inFolder("restored/recovery.signal")]);
  const restored = await freePort();
  const target = await restoring(now);
  expect(Object.keys(target)).toHaveLength(3);
  start(postgres("restored", restored, target));
  await answers(databaseUrl(restored));
  const recovering = async () =>
    (await ask(databaseUrl(restored), "select pg_is_in_recovery()"))[0];
  await expect.poll(recovering).toEqual({ pg_is_in_recovery: false });
  const again = await startNode({ DATABASE_URL: databaseUrl(restored) });
  expect(await statuses(again.url, [kept, lost])).toEqual([200, 404]);
});
