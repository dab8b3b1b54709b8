import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { askSeller, sendMessage } from "#contract/messages.ts";
import { signUpAt } from "../testing/browser.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import { freePort } from "../testing/free-port.ts";
import { callsOver, listing } from "../testing/marketplace.ts";
import { openMovingAddress } from "../testing/moving-address.ts";
import {
  type Env,
  killPrograms,
  type Program,
  run,
  waitForExit,
  waitForReady,
} from "../testing/program.ts";

const deploy = new URL("../../deploy/compose/", import.meta.url);
const clients = 8;
const openStreams = 5;

let folder: string;
let url: string;
let database: Awaited<ReturnType<typeof openMovingAddress>>;
let caddy: ChildProcess;
let nodes: { env: Env; program: Program }[];

/** Two nodes behind Caddy, with the Caddyfile and SHUTDOWN_DELAY of deploy/compose. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-rolling-"));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const compose = parse(await readFile(new URL("compose.yaml", deploy), "utf8"), { merge: true });
  const { SHUTDOWN_DELAY } = compose.services.node1.environment;
  const common = { PUBLIC_URL: url, TRUST_PROXY: "loopback", SHUTDOWN_DELAY };
  const server = new URL(await createTestDatabase("rolling"));
  database = await openMovingAddress(Number(server.port));
  const { href } = Object.assign(server, { port: String(database.port) });
  const shared = { DATABASE_URL: href, SECRET: "s".repeat(32) };
  const settings = [1, 2].map(async (number) => ({
    ...common,
    ...shared,
    DATA_DIR: join(folder, `node${number}`),
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
  }));
  nodes = (await Promise.all(settings)).map((env) => ({ env, program: run(env) }));
  for (const { program } of nodes) await waitForReady(program);
  caddy = spawn("caddy", ["run", "--config", "Caddyfile", "--adapter", "caddyfile"], {
    cwd: deploy,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SITE: url,
      ADMIN: `127.0.0.1:${await freePort()}`,
      FALLBACK_PORT: String(await freePort()),
      NODES: nodes.map(({ env }) => `127.0.0.1:${env.PORT}`).join(" "),
    },
    stdio: "ignore",
  });
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 30_000);
});
afterAll(async () => {
  const ended = caddy?.exitCode === null && once(caddy, "exit");
  // On SIGTERM, Caddy would wait for the event streams to end.
  caddy?.kill("SIGKILL");
  await ended;
  killPrograms();
  database?.close();
  await rm(folder, { recursive: true, force: true });
});

type Outcome = { what: string; status: number | string };

function startClient(requests: { path: string; init?: RequestInit }[]) {
  const failed: Outcome[] = [];
  let count = 0;
  let isStopped = false;
  const ask = async ({ path, init }: { path: string; init?: RequestInit }) => {
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    return answer.status === 200 ? 200 : `${answer.status} ${text}`;
  };
  const working = (async () => {
    while (!isStopped) {
      const request = requests[count % requests.length];
      if (!request) break;
      const status = await ask(request).catch((error: Error) => String(error.cause ?? error));
      if (status !== 200) failed.push({ what: request.path, status });
      count += 1;
    }
  })();
  const stop = async () => {
    isStopped = true;
    await working;
    return { count, failed };
  };
  return { stop };
}

/** Like a browser, reconnects with the last received id. */
function startReader(headers: Record<string, string>) {
  const state = { opened: 0, text: "", failed: [] as Outcome[] };
  const ending = new AbortController();
  const read = async () => {
    const last = [...state.text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1];
    const answer = await fetch(`${url}/api/messageEvents`, {
      headers: {
        ...headers,
        accept: "text/event-stream",
        ...(last && { "last-event-id": last }),
      },
      signal: ending.signal,
    });
    if (answer.status !== 200) return state.failed.push({ what: "events", status: answer.status });
    state.opened += 1;
    for await (const chunk of answer.body ?? []) state.text += Buffer.from(chunk).toString();
  };
  const working = (async () => {
    while (!ending.signal.aborted)
      await read().catch((error: Error) => {
        if (!ending.signal.aborted)
          state.failed.push({ what: "events", status: String(error.cause ?? error) });
      });
  })();
  const stop = async () => {
    ending.abort();
    await working;
  };
  return { state, stop };
}

/** Whether Caddy has sent requests to the restarted node. */
async function inboxesSent({ METRICS_PORT }: Env): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`);
  return /^secondlap_http_requests_total\{.*messageInbox/m.test(await answer.text());
}

test("during a rolling restart no request fails, and event streams move to the other node", async () => {
  const sellerAt = await signUpAt(url, "seller@example.com", "seller");
  const buyerAt = await signUpAt(url, "buyer@example.com", "buyer");
  const [seller, buyer] = [callsOver(sellerAt), callsOver(buyerAt)];
  const product = await listing(seller);
  const question = { text: "Is it still there?", key: randomUUID(), product: { _id: product } };
  const { insertedId: id } = await buyer.call(askSeller, { body: question });
  const authorization = (member: typeof buyerAt) => ({ authorization: `Bearer ${member.token()}` });
  const readers = Array.from({ length: openStreams }, () => startReader(authorization(sellerAt)));
  for (const { state } of readers) await expect.poll(() => state.text).toMatch(/^id: \d+$/m);

  const read = { headers: authorization(buyerAt) };
  const requests = [
    ...["/", "/blogs", "/api/categories", `/api/products/byId/${product}`].map((path) => ({
      path,
    })),
    { path: "/api/messageInbox", init: read },
    { path: `/api/savedProducts/${product}`, init: { ...read, method: "PUT" } },
  ];
  const load = Array.from({ length: clients }, () => startClient(requests));
  for (const node of nodes) {
    node.program.child.kill("SIGTERM");
    expect((await waitForExit(node.program)).code).toBe(0);
    node.program = run(node.env);
    await waitForReady(node.program);
    await expect.poll(() => inboxesSent(node.env)).toBe(true);
  }
  const outcomes = await Promise.all(load.map(({ stop }) => stop()));
  const sent = outcomes.reduce((sum, { count }) => sum + count, 0);
  process.stdout.write(`${sent} requests while both nodes were replaced\n`);
  expect(outcomes.flatMap(({ failed }) => failed)).toEqual([]);
  expect(sent).toBeGreaterThan(100);

  const before = readers.map(({ state }) => state.text.length);
  await buyer.call(sendMessage, { params: { id }, body: { text: "Hello?", key: randomUUID() } });
  for (const [index, { state }] of readers.entries()) {
    await expect.poll(() => state.text.slice(before[index])).toContain(id);
    expect(state.failed).toEqual([]);
    expect(state.opened).toBeGreaterThan(1);
  }
  await Promise.all(readers.map(({ stop }) => stop()));
});

const unavailable = { status: 503, retryAfter: "1", code: "UNAVAILABLE" };

async function ask(path: string, init?: RequestInit) {
  const answer = await fetch(url + path, init);
  const text = await answer.text();
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), code, text };
}

test("without a database, nodes still serve pages that show no data, and without nodes, Caddy returns 503", async () => {
  for (const { env } of nodes)
    for (const path of ["/", "/blogs"]) {
      const page = await fetch(`http://127.0.0.1:${env.PORT}${path}`);
      expect(page.status).toBe(200);
      await page.text();
    }
  database.close();
  await expect.poll(async () => (await ask("/readyz")).status).toBe(503);
  expect(await ask("/blogs")).toMatchObject({
    status: 200,
    text: expect.stringContaining("</html>"),
  });
  // Home's cached data may be outdated, so a node (not Caddy) responds with 503.
  await expect.poll(() => ask("/")).toMatchObject({ status: 503, retryAfter: "2" });
  expect(await ask("/api/search?q=x1")).toMatchObject(unavailable);
  const member = { email: "nobody@example.com", password: "A-Long-Passphrase#2026" };
  const body = JSON.stringify(member);
  const headers = { "content-type": "application/json", origin: url };
  const signIn = { method: "POST", headers, body };
  expect((await ask("/api/auth/sign-in/email", signIn)).status).toBe(503);

  // During and after the nodes' exit, every error response has a Retry-After header.
  const ends = Promise.all(nodes.map(({ program }) => waitForExit(program)));
  const asking = Array.from({ length: clients }, () => answersUntil(ends));
  for (const { program } of nodes) program.child.kill("SIGKILL");
  const answers = (await Promise.all(asking)).flat();
  expect(answers.filter(({ status }) => status !== 200)).not.toEqual([]);
  for (const answer of answers)
    if (answer.status !== 200) expect(answer).toMatchObject(unavailable);
  const write = { method: "PUT", headers, body };
  expect(await ask("/api/savedProducts/1", write)).toMatchObject(unavailable);
});

async function answersUntil(ended: Promise<unknown>) {
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  let left = Number.POSITIVE_INFINITY;
  ended.then(() => (left = 10));
  for (; left > 0; left -= 1) answers.push(await ask("/blogs"));
  return answers;
}
