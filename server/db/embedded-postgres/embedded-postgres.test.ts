import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../testing/free-port.ts";
import { openCluster } from "./cluster.ts";
import { startEmbeddedPostgres } from "./embedded-postgres.ts";
import { sharedBuffers } from "./postgres-process.ts";
import { env, run as runProgram } from "./programs.ts";

let folder: string;
/** The folder of `running`. Its name has quotes and spaces, and only its owner can enter it. */
let inUse: string;
let running: Awaited<ReturnType<typeof startEmbeddedPostgres>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-embedded-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "first") });
  await ask(postgres.url, "create table laptops as select 'ThinkPad' as name");
  await postgres.stop();
  inUse = await copyOfFirst(`it's a "data" $folder`);
  await chmod(inUse, 0o700);
  running = await startEmbeddedPostgres({ dataDir: inUse });
});

afterAll(async () => {
  await running.stop();
  await rm(folder, { recursive: true, force: true });
});

test("an unusable data folder is rejected and left unchanged", async () => {
  const file = join(folder, "a-file");
  await writeFile(file, "");
  await expect(startEmbeddedPostgres({ dataDir: file })).rejects.toThrow(
    "there is a file in its place",
  );
  const foreign = await mkdtemp(join(folder, "foreign-"));
  await writeFile(join(foreign, "letter.txt"), "Dear Ada");
  await expect(startEmbeddedPostgres({ dataDir: foreign })).rejects.toThrow(
    `${foreign} is not a data folder of Secondlap: there is letter.txt in it.`,
  );
  expect(await readdir(foreign)).toEqual(["letter.txt"]);
  const none = join(folder, "nothing-yet");
  await expect(startEmbeddedPostgres({ dataDir: none, shared: true })).rejects.toThrow(
    `There is no shop in ${none} yet.`,
  );
  await expect(stat(none)).rejects.toThrow("ENOENT");
});

test("a data folder of a shop that used another PostgreSQL is accepted", async () => {
  const dataDir = await mkdtemp(join(folder, "other-"));
  for (const name of ["development-secret", "disk-reserve"])
    await writeFile(join(dataDir, name), "");
  expect(await ask((await start(dataDir)).url, "show is_superuser")).toBe("off");
});

test("PostgreSQL flushes each commit to disk and sizes its buffers by RAM, and the application's role is not a superuser", async () => {
  const gigabytes = [1, 8, 64].map((size) => sharedBuffers(size * 2 ** 30));
  expect(gigabytes).toEqual(["128MB", "512MB", "1024MB"]);
  expect(await ask(running.url, "show fsync")).toBe("on");
  expect(await ask(running.url, "show synchronous_commit")).toBe("on");
  expect(await ask(running.url, "show is_superuser")).toBe("off");
  await ask(running.url, "create database another");
  const pages = "select setting::integer * 8 / 1024 as answer from pg_settings";
  const expected = sharedBuffers(Math.min(totalmem(), process.constrainedMemory() || totalmem()));
  const buffers = await ask(running.url, `${pages} where name = 'shared_buffers'`);
  expect(`${buffers}MB`).toBe(expected);
});

test("only a program that uses `shared` can join another program's PostgreSQL, and it leaves PostgreSQL running when it stops", async () => {
  await expect(startEmbeddedPostgres({ dataDir: inUse })).rejects.toThrow(
    `Another Secondlap uses the data folder ${inUse}.`,
  );
  const guest = await startEmbeddedPostgres({ dataDir: inUse, shared: true });
  expect(guest.url).toBe(running.url);
  await guest.stop();
  expect(await ask(running.url, "select name as answer from laptops")).toBe("ThinkPad");
});

test("a data folder that was copied while PostgreSQL was running is rejected", async () => {
  const copy = join(folder, "copy");
  await cp(inUse, copy, { recursive: true });
  await expect(startEmbeddedPostgres({ dataDir: copy })).rejects.toThrow(
    "is a copy made while its PostgreSQL was running",
  );
});

test("a restart keeps the data and the URL, even with quotes in the folder's name and a stale postmaster.pid", async () => {
  const { url } = running;
  await running.stop();
  const stale = [process.pid, inUse, 1, 61_000, "", "127.0.0.1", "", "ready"].join("\n");
  await writeFile(join(inUse, "postgres/postmaster.pid"), stale);
  running = await startEmbeddedPostgres({ dataDir: inUse });
  expect(running.url).toBe(url);
  expect(await ask(url, "select name as answer from laptops")).toBe("ThinkPad");
});

test("PostgreSQL stops when the program that started it is killed", async () => {
  const dataDir = await copyOfFirst("killed");
  const url = await startInProcessThatIsKilled(dataDir);
  await expect.poll(() => ask(url, "select 1").catch(String)).toContain("ECONNREFUSED");
  const postgres = await start(dataDir);
  expect(await ask(postgres.url, "select name as answer from laptops")).toBe("ThinkPad");
});

test("a new process takes over a PostgreSQL server that was left running, and later stops it", async () => {
  const dataDir = await copyOfFirst("orphaned");
  await leaveRunning(dataDir);
  const said: string[] = [];
  const postgres = await startEmbeddedPostgres({ dataDir, report: (line) => said.push(line) });
  expect(said).toEqual([`Taking over the PostgreSQL that was left running on ${dataDir}.`]);
  expect(await ask(postgres.url, "select name as answer from laptops")).toBe("ThinkPad");
  await postgres.stop();
  await expect(ask(postgres.url, "select 1")).rejects.toThrow("ECONNREFUSED");
});

test("a startup error names the data folder and its PostgreSQL version, or PostgreSQL's own error and its log file", async () => {
  const dataDir = await copyOfFirst("broken");
  const versionFile = join(dataDir, "postgres/PG_VERSION");
  await writeFile(versionFile, "17\n");
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /was written by PostgreSQL 17, and this Secondlap brings PostgreSQL 18\..*pg_dump.*DATA_DIR/,
  );
  await writeFile(versionFile, "18\n");
  await expect(startEmbeddedPostgres({ dataDir, settings: { wal_level: "x" } })).rejects.toThrow(
    `PostgreSQL did not start: invalid value for parameter "wal_level": "x". Its log is ${dataDir}/postgres.log.`,
  );
});

test.runIf(process.getuid?.() === 0)(
  "PostgreSQL started by root runs as another account, even in a folder that only root can enter",
  async () => {
    const pidFile = await readFile(join(inUse, "postgres/postmaster.pid"), "utf8");
    const [pid] = pidFile.split("\n");
    expect((await stat(`/proc/${pid}`)).uid).not.toBe(0);
  },
);

async function start(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir });
  onTestFinished(postgres.stop);
  return postgres;
}

async function copyOfFirst(name: string): Promise<string> {
  const dataDir = join(folder, name);
  await cp(join(folder, "first"), dataDir, { recursive: true });
  return dataDir;
}

async function leaveRunning(dataDir: string): Promise<void> {
  const { programs, account, folder: cwd, pathInside } = await openCluster(dataDir);
  const flags = `-p ${await freePort()} -h 127.0.0.1 -c unix_socket_directories=`;
  const log = ["-l", "/dev/null"];
  await runProgram(
    join(programs, "pg_ctl"),
    ["start", "-w", "-D", pathInside, ...log, "-o", flags],
    { ...account, cwd, env },
  );
}

async function startInProcessThatIsKilled(dataDir: string): Promise<string> {
  const program = `
    const { startEmbeddedPostgres } = await import(${JSON.stringify(import.meta.resolve("./embedded-postgres.ts"))});
    console.log((await startEmbeddedPostgres({ dataDir: process.argv[1] })).url);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(child.stdout.setEncoding("utf8"), "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  return url.trim();
}

async function ask(url: string, statement: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return Object.values<string>(rows[0] ?? {})[0] ?? "";
}
