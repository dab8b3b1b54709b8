import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBookingToPay } from "#contract/bookings.ts";
import { signUpAt } from "./testing/browser.ts";
import { cardProvider } from "./testing/cards.ts";
import { createTestDatabase } from "./testing/create-test-database.ts";
import { freePort } from "./testing/free-port.ts";
import { callsOver, listing, openDeal } from "./testing/marketplace.ts";
import {
  freePorts,
  killPrograms,
  run as runProgram,
  waitForExit,
  waitForReady,
} from "./testing/program.ts";
import { openTestDatabase } from "./testing/test-connections.ts";

const packageJson = await readFile(join(import.meta.dirname, "../package.json"), "utf8");
const { version } = JSON.parse(packageJson) as { version: string };
let dataDir: string;
const run = (env: Record<string, string>, program?: string[]) =>
  runProgram({ DATA_DIR: dataDir, ...env }, program);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap main "));
});
afterAll(async () => {
  killPrograms();
  await rm(dataDir, { recursive: true, force: true });
});

test("with invalid settings, the program exits with messages instead of a stack trace", async () => {
  const { code, said } = await waitForExit(run({ NODE_ENV: "production" }));
  expect(code).toBe(1);
  expect(said).toContain("SECRET must be set");
  expect(said).toContain("STRIPE_SECRET_KEY must be set");
  expect(said).not.toMatch(/\n\s+at /);
});

test("if the port is in use, the program exits with a message that suggests another port", async () => {
  const ports = await freePorts();
  const squatter = createServer().listen(Number(ports.PORT), "127.0.0.1");
  await once(squatter, "listening");
  const { code, said } = await waitForExit(
    run({ ...ports, DATABASE_URL: await createTestDatabase("main") }),
  );
  squatter.close();
  expect(code).toBe(1);
  expect(said).toMatch(new RegExp(`Port ${ports.PORT} is in use\\..*PORT=\\d+ npm start`));
});

test("with PORT=0, the program prints the URL of a free port, and exits quietly on SIGTERM", async () => {
  const ports = await freePorts();
  const env = { ...ports, PORT: "0", DATABASE_URL: await createTestDatabase("main") };
  const s3 = { S3_ENDPOINT: "http://127.0.0.1:9", S3_BUCKET: "photos" };
  const keys = { S3_ACCESS_KEY_ID: "an-id", S3_SECRET_ACCESS_KEY: "a secret" };
  const program = run({ ...env, ...s3, ...keys }, [
    "--import",
    "./server/testing/report-packages.ts",
    "server/main.ts",
  ]);
  await waitForReady(program);
  const url = /ready at (http:\/\/127\.0\.0\.1:[1-9]\d*)/.exec(program.said.text)?.[1];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  program.child.kill("SIGTERM");
  const { code, said } = await waitForExit(program);
  const [told, packages = ""] = said.split("loaded: ");
  expect([code, told]).toEqual([
    0,
    `Secondlap ${version} is ready at ${url}. Mail arrives at http://127.0.0.1:${ports.SANDBOX_PORT}/mail\n`,
  ]);
  await expect(fetch(`${url}/readyz`)).rejects.toThrow();
  const loaded = packages.trim().split(" ");
  expect(loaded).toContain("fastify");
  const later = ["better-auth", "stripe", "nodemailer", "sharp", "@aws-sdk/client-s3"];
  const others = ["@zxcvbn-ts/language-common", "react-router"];
  for (const name of [...later, ...others]) expect(loaded).not.toContain(name);
});

test("with WORKERS=2, two processes serve one port, and a killed process is replaced", async () => {
  const ports = await freePorts();
  const metricsPort = await freePort(2);
  const database = { DATABASE_URL: await createTestDatabase("main") };
  const env = { ...ports, ...database, WORKERS: "2", METRICS_PORT: String(metricsPort) };
  // Long enough for even a stalled machine to respond to the requests below.
  const program = run({ ...env, SHUTDOWN_DELAY: "120" });
  await waitForReady(program);
  const metricsAt = async (port: number) =>
    (await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined))?.status;
  expect([await metricsAt(metricsPort), await metricsAt(metricsPort + 1)]).toEqual([200, 200]);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain(`secondlap_build_info{version="${version}"} 1\n`);
  const port = Number(ports.PORT);
  const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(page).toContain(`</footer><template data-version="${version}"></template>`);
  expect(await listenersOf(port)).toHaveLength(2);
  const second = await otherServerOf(program.child.pid);
  process.kill(second, "SIGKILL");
  const third = () => otherServerOf(program.child.pid).catch(() => second);
  await expect.poll(third).not.toBe(second);
  await expect.poll(() => listenersOf(port)).toHaveLength(2);
  await expect.poll(() => metricsAt(metricsPort + 1)).toBe(200);
  expect(await readinessOf(port)).toEqual(new Set([200]));
  const held = await holdLaptop(`http://127.0.0.1:${port}`);
  program.child.kill("SIGTERM");
  await expect.poll(() => readinessOf(port)).toEqual(new Set([503]));
  await payWithoutWebhook(ports, held.intent);
  process.kill(await otherServerOf(program.child.pid), "SIGKILL");
  program.child.kill("SIGKILL");
  for (const one of [port, Number(ports.SANDBOX_PORT)])
    await expect.poll(() => listenersOf(one)).toEqual([]);

  const restarted = run(env);
  await waitForReady(restarted);
  await expectOnePayment(database.DATABASE_URL, held);
  restarted.child.kill("SIGTERM");
  expect((await waitForExit(restarted)).code).toBe(0);
  expect(await listenersOf(port)).toEqual([]);
});

/** Sends 20 requests, enough to reach both processes. */
async function readinessOf(port: number): Promise<Set<number>> {
  const asked = Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/readyz`));
  return new Set((await Promise.all(asked)).map(({ status }) => status));
}

/** Lists the sockets that listen on the port (proc(5), /proc/net/tcp). */
async function listenersOf(port: number): Promise<string[]> {
  const at = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n");
  return lines.filter((line) => line.split(/\s+/)[2]?.endsWith(at) && / 0A /.test(line));
}

async function otherServerOf(pid = 0): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  for (const child of children.trim().split(" ").map(Number)) {
    const command = await readFile(`/proc/${child}/cmdline`, "utf8");
    if (command.includes("fork-servers.ts")) return child;
  }
  throw new Error("There is no other server process.");
}

async function holdLaptop(url: string) {
  const seller = callsOver(await signUpAt(url, "seller@example.com", "seller"));
  const email = "buyer@example.com";
  const buyer = { ...callsOver(await signUpAt(url, email, "buyer")), email };
  return await openDeal(buyer, await listing(seller));
}

/** Holds the webhook, so that the shop crashes before it learns of the payment. */
async function payWithoutWebhook({ SANDBOX_PORT }: Record<string, string>, intent: string) {
  const card = cardProvider(`http://127.0.0.1:${SANDBOX_PORT}`);
  await card.injectFaults({ webhook: { hold: true } });
  expect(await card.pay(intent)).toBe("succeeded");
}

type Held = Awaited<ReturnType<typeof holdLaptop>>;

async function expectOnePayment(database: string, { booking, buyer, intent }: Held) {
  const order = () => buyer.call(findBookingToPay, { params: { id: booking } });
  await expect.poll(order).toMatchObject({ paid: true, transactionId: intent });
  const { pool } = openTestDatabase(database, 1);
  const recorded = await pool.query("select state from payments");
  await pool.end();
  expect(recorded.rows).toEqual([{ state: "succeeded" }]);
}
