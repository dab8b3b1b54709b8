import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  freePorts,
  killPrograms,
  type Program,
  run,
  waitForExit,
  waitForReady,
} from "../../testing/program.ts";

let dataDir: string;
let url: string;
let shop: Program;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap crash "));
  const ports = await freePorts();
  url = `http://127.0.0.1:${ports.PORT}`;
  shop = run({ ...ports, DATA_DIR: dataDir, DATABASE_TIMEOUT: "5" });
  await waitForReady(shop);
});
afterAll(async () => {
  if (shop.child.exitCode === null) shop.child.kill("SIGTERM");
  await waitForExit(shop);
  killPrograms();
  await rm(dataDir, { recursive: true, force: true });
});

async function statusOf(path: string): Promise<number> {
  return (await fetch(`${url}${path}`)).status;
}

const serves = () => expect.poll(() => statusOf("/readyz").catch(() => 0)).toBe(200);

async function readPostmaster(): Promise<{ pid: number; port: number }> {
  const text = await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8");
  const [pid = 0, , , port = 0] = text.split("\n").map(Number);
  return { pid, port };
}

async function connect(): Promise<pg.Client> {
  const { secondlap } = JSON.parse(
    await readFile(join(dataDir, "postgres/passwords.json"), "utf8"),
  );
  const { port } = await readPostmaster();
  const client = new pg.Client(`postgres://secondlap:${secondlap}@127.0.0.1:${port}/secondlap`);
  client.on("error", () => {});
  await client.connect();
  return client;
}

test("the server recovers after a PostgreSQL backend crashes, and a backup leaves PostgreSQL running", async () => {
  const victim = await connect();
  const gone = new Promise((end) => victim.once("end", end));
  const { rows } = await victim.query<{ pid: number }>("select pg_backend_pid() as pid");
  process.kill(rows[0]?.pid ?? 0, "SIGKILL");
  await gone;
  await serves();
  const before = await readPostmaster();
  const backup = run({ DATA_DIR: dataDir }, [
    "server/cli/backup.ts",
    "backup",
    join(dataDir, "..", `copy-${Date.now()}`),
  ]);
  expect(await waitForExit(backup)).toMatchObject({ code: 0 });
  expect(await readPostmaster()).toEqual(before);
  expect(await statusOf("/readyz")).toBe(200);
});

test("the server restarts PostgreSQL after PostgreSQL is killed", async () => {
  const before = await readPostmaster();
  process.kill(before.pid, "SIGKILL");
  await expect.poll(async () => (await readPostmaster()).pid).not.toBe(before.pid);
  await serves();
  expect(await statusOf("/api/advertisedProducts")).toBe(200);
  expect(shop.said.text).toContain("The embedded PostgreSQL is running again.");
});

test("/readyz returns 503 while another request still waits for a frozen database", async () => {
  const client = await connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'secondlap'",
  );
  const { pid } = await readPostmaster();
  const frozen = [pid, ...rows.map((row) => row.pid)];
  for (const one of frozen) process.kill(one, "SIGSTOP");
  const answers: string[] = [];
  const ask = async (path: string) => answers.push(`${path} ${await statusOf(path)}`);
  await Promise.all([ask("/api/categories?limit=7"), ask("/readyz")]);
  for (const one of frozen) process.kill(one, "SIGCONT");
  expect(answers).toEqual(["/readyz 503", "/api/categories?limit=7 503"]);
  await serves();
});
