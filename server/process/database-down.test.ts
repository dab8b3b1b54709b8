import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
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

let dataDir: string;
const run = (env: Env, program?: string[]) => runProgram({ DATA_DIR: dataDir, ...env }, program);

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

async function diagnose(env: Env): Promise<string> {
  const { said } = await waitForExit(run(env, ["server/cli/doctor.ts"]));
  const [row = ""] = said.match(/^Database .*$/m) ?? [];
  return row.split(/ {2,}/).at(-1) ?? "";
}

test("startup fails if the database stays down, and prints the same message as npm run doctor", async () => {
  const env = { DATABASE_URL: "postgres://shop@127.0.0.1:9/shop", DATABASE_TIMEOUT: "5" };
  const { code, said } = await waitForExit(run({ ...env, ...(await freePorts()) }));
  expect(code).toBe(1);
  const sentence = await diagnose(env);
  expect(sentence).toBe("failed: connect ECONNREFUSED 127.0.0.1:9. See DATABASE_URL.");
  expect(said).toContain(waiting);
  expect(said.trim().split("\n").at(-1)).toBe(`Database ${sentence}`);
});

test("startup fails immediately if the database does not exist", async () => {
  const url = Object.assign(new URL(inject("postgresUrl")), { pathname: "/nowhere" });
  const env = { DATABASE_URL: url.href };
  const { code, said } = await waitForExit(run({ ...env, ...(await freePorts()) }));
  expect(code).toBe(1);
  expect(said).toBe('Database failed: database "nowhere" does not exist. See DATABASE_URL.\n');
});

test("SIGTERM ends a process that is still waiting for the database", async () => {
  const env = { DATABASE_URL: "postgres://shop@127.0.0.1:9/shop", DATABASE_TIMEOUT: "40" };
  const program = run({ ...env, ...(await freePorts()) });
  await expect.poll(() => program.said.text).toContain(waiting);
  program.child.kill("SIGTERM");
  expect((await waitForExit(program)).code).toBe(0);
});
