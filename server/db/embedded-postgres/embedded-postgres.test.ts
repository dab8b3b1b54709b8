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

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-embedded-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "first") });
  await ask(postgres.url, "create table laptops as select 'ThinkPad' as name");
  await postgres.stop();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("a restart keeps the data and the URL, even if the folder's name has quotes and spaces", async () => {
  const dataDir = await copyOfFirst(`it's a "data" $folder`);
  const before = await start(dataDir);
  await before.stop();
  const after = await start(dataDir);
  expect(after.url).toBe(before.url);
  expect(await ask(after.url, "select name as answer from laptops")).toBe("ThinkPad");
});

test("a data folder with foreign files is rejected and left unchanged", async () => {
  const dataDir = await mkdtemp(join(folder, "foreign-"));
  await writeFile(join(dataDir, "letter.txt"), "Dear Ada");
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    `${dataDir} is not a data folder of Secondlap: there is letter.txt in it.`,
  );
  expect(await readdir(dataDir)).toEqual(["letter.txt"]);
});

test("a data folder that is a file is rejected", async () => {
  const dataDir = join(folder, "a-file");
  await writeFile(dataDir, "");
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow("there is a file in its place");
});

test("with the option `shared`, starting without an existing cluster fails and creates none", async () => {
  const dataDir = join(folder, "nothing-yet");
  await expect(startEmbeddedPostgres({ dataDir, shared: true })).rejects.toThrow(
    `There is no shop in ${dataDir} yet.`,
  );
  await expect(stat(dataDir)).rejects.toThrow("ENOENT");
});

test("PostgreSQL flushes each commit to disk, has buffers for the machine's memory, and gives the application a role that can only create databases", async () => {
  const gigabytes = [1, 8, 64].map((size) => sharedBuffers(size * 2 ** 30));
  expect(gigabytes).toEqual(["128MB", "512MB", "1024MB"]);
  const { url } = await start(await copyOfFirst("settings"));
  expect(await ask(url, "show fsync")).toBe("on");
  expect(await ask(url, "show synchronous_commit")).toBe("on");
  expect(await ask(url, "show is_superuser")).toBe("off");
  await ask(url, "create database another");
  const pages = "select setting::integer * 8 / 1024 as answer from pg_settings";
  const expected = sharedBuffers(Math.min(totalmem(), process.constrainedMemory() || totalmem()));
  expect(`${await ask(url, `${pages} where name = 'shared_buffers'`)}MB`).toBe(expected);
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

test("a second program on a data folder is rejected unless it uses `shared`, and then leaves PostgreSQL running", async () => {
  const dataDir = await copyOfFirst("shared");
  const { url } = await start(dataDir);
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    `Another Secondlap uses the data folder ${dataDir}.`,
  );
  const guest = await startEmbeddedPostgres({ dataDir, shared: true });
  expect(guest.url).toBe(url);
  await guest.stop();
  expect(await ask(url, "select 'here' as answer")).toBe("here");
});

test("PostgreSQL starts even if a stale postmaster.pid contains another process's id", async () => {
  const dataDir = await copyOfFirst("rebooted");
  const left = [process.pid, dataDir, 1, 61_000, "", "127.0.0.1", "", "ready"].join("\n");
  await writeFile(join(dataDir, "postgres/postmaster.pid"), left);
  const { url } = await start(dataDir);
  expect(await ask(url, "select name as answer from laptops")).toBe("ThinkPad");
});

test("a data folder that was copied while PostgreSQL was running is rejected", async () => {
  const dataDir = await copyOfFirst("original");
  await start(dataDir);
  const copy = join(folder, "copy");
  await cp(dataDir, copy, { recursive: true });
  await expect(startEmbeddedPostgres({ dataDir: copy })).rejects.toThrow(
    "is a copy made while its PostgreSQL was running",
  );
});

test("the error for a data folder from another PostgreSQL version recommends pg_dump or another DATA_DIR", async () => {
  const dataDir = await copyOfFirst("older");
  await writeFile(join(dataDir, "postgres/PG_VERSION"), "17\n");
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /was written by PostgreSQL 17, and this Secondlap brings PostgreSQL 18\..*pg_dump.*DATA_DIR/,
  );
});

test("if PostgreSQL doesn't start, the error gives the reason and the log file", async () => {
  const dataDir = await copyOfFirst("broken");
  await expect(startEmbeddedPostgres({ dataDir, settings: { wal_level: "x" } })).rejects.toThrow(
    `PostgreSQL did not start: invalid value for parameter "wal_level": "x". Its log is ${dataDir}/postgres.log.`,
  );
});

test.runIf(process.getuid?.() === 0)(
  "PostgreSQL started by root runs as another account, even in a folder that only root can enter",
  async () => {
    const dataDir = await copyOfFirst("closed");
    await chmod(dataDir, 0o700);
    const { url } = await start(dataDir);
    expect(await ask(url, "select name as answer from laptops")).toBe("ThinkPad");
    const [pid] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
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

/** Returns the URL of the PostgreSQL that keeps running. */
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
