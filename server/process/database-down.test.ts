import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../config.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import {
  type Env,
  freePorts,
  killPrograms,
  run as runProgram,
  waitForExit,
  waitForReady,
} from "../testing/program.ts";
import { openTestDatabase } from "../testing/test-connections.ts";
import { serve } from "./serve.ts";

let dataDir: string;
const run = (env: Env) => runProgram({ DATA_DIR: dataDir, ...env });

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-down-"));
});
afterAll(async () => {
  killPrograms();
  await rm(dataDir, { recursive: true, force: true });
});

const waiting = "Waiting for PostgreSQL";

test("startup waits for a database that is down, reports the wait, and continues when the database is up", async () => {
  const url = await createTestDatabase("down");
  const { pool } = openTestDatabase(inject("postgresUrl"), 1);
  const allow = (allowed: boolean) =>
    pool.query(`alter database "${new URL(url).pathname.slice(1)}" allow_connections ${allowed}`);
  await allow(false);
  const program = run({ ...(await freePorts()), DATABASE_URL: url, DATABASE_TIMEOUT: "40" });
  await expect.poll(() => program.said.text).toContain(waiting);
  await allow(true);
  await pool.end();
  await waitForReady(program);
  expect(program.said.text.split(waiting)).toHaveLength(2);
});

async function failToServe(databaseUrl: string): Promise<string> {
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => printed.mockRestore());
  const settings = readConfig({ NODE_ENV: "test", DATABASE_URL: databaseUrl });
  const config = { ...settings, secret: "unused", databaseTimeoutMs: 200 };
  const serving = serve({ config, databaseUrl, sandbox: undefined }, () => {});
  const failure = await serving.then(String, (error: Error) => error.message);
  const lines = printed.mock.calls.map(([line]) => String(line));
  return [...lines.filter((line) => line.startsWith(waiting)), failure].join("");
}

test("startup fails if the database stays down, and says why and which setting to check", async () => {
  const refused = "connect ECONNREFUSED 127.0.0.1:9";
  expect(await failToServe("postgres://shop@127.0.0.1:9/shop")).toBe(
    `${waiting}, for up to 0.8 seconds: ${refused}.\nDatabase failed: ${refused}. See DATABASE_URL.`,
  );
});

test("startup fails immediately if the database does not exist", async () => {
  const url = Object.assign(new URL(inject("postgresUrl")), { pathname: "/nowhere" });
  expect(await failToServe(url.href)).toBe(
    'Database failed: database "nowhere" does not exist. See DATABASE_URL.',
  );
});

const twoAddresses = `
  import dns from "node:dns";
  const found = ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family: 4 }));
  dns.lookup = (name, options, done) => done(null, found);`;

test("a command says why it can't reach the database at a host name with two addresses", async () => {
  const lookup = ["--import", `data:text/javascript,${encodeURIComponent(twoAddresses)}`];
  const command = [...lookup, "server/cli/jobs.ts", "retry"];
  const env = { DATABASE_URL: "postgres://shop@localhost:9/shop" };
  expect(await waitForExit(runProgram(env, command))).toEqual({
    code: 1,
    said: "connect ECONNREFUSED 127.0.0.1:9, connect ECONNREFUSED 127.0.0.2:9\n",
  });
});

test("SIGTERM ends a process that is still waiting for the database", async () => {
  const env = { DATABASE_URL: "postgres://shop@127.0.0.1:9/shop", DATABASE_TIMEOUT: "40" };
  const program = run({ ...env, ...(await freePorts()) });
  await expect.poll(() => program.said.text).toContain(waiting);
  program.child.kill("SIGTERM");
  expect((await waitForExit(program)).code).toBe(0);
});
