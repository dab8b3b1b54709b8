import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { passwordHashing } from "#server/adapters/identity/password-hashing/password-hashing.ts";
import { openScryptThreads } from "#server/adapters/identity/password-hashing/scrypt-threads.ts";
import { buildApp } from "#server/app.ts";
import { owaspScrypt } from "#server/config.ts";
import { signUpIn } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { createIdentity } from "#server/testing/identity.ts";
import { photo, uploadPhoto } from "#server/testing/marketplace.ts";
import { anyCategory, member } from "#server/testing/people.ts";
import { recordTurns } from "#server/testing/rate-limits.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest({
  env: { RATE_LIMIT: "on", LOG_LEVEL: "error" },
  // Half of OWASP's hashing cost is slow enough to reach the limit on concurrent sign-ins.
  config: { scryptCost: { ...owaspScrypt, N: owaspScrypt.N / 2 } },
});

async function signIn(
  shop: Shop,
  email: string,
  { from = "203.0.113.1", password = "Wrong#2026", at = shop.app } = {},
) {
  const { statusCode, headers, body } = await at.inject({
    method: "POST",
    url: "/api/auth/sign-in/email",
    remoteAddress: from,
    headers: { origin: shop.url },
    payload: { email, password },
  });
  return { status: statusCode, retryAfter: headers["retry-after"], body: JSON.parse(body) };
}

/** Sends wrong passwords, `size` at a time, until `end` is called. A 503 is not sent again. */
function flood(shop: Shop, size: number) {
  const state = { isOver: false, ended: 0 };
  const answers = Array.from({ length: size }, async (_, lane) => {
    const own = [await signIn(shop, `nobody-${lane}@example.com`)];
    while (own.at(-1)?.status === 401 && !state.isOver)
      own.push(await signIn(shop, `nobody-${lane}-${own.length}@example.com`));
    state.ended += 1;
    return own;
  });
  const answered = Promise.all(answers).then((all) => all.flat());
  const end = async () => {
    state.isOver = true;
    return await answered;
  };
  return { state, end };
}

async function photoOnSale(shop: Shop): Promise<string> {
  const seller = await member(shop, { accountType: "seller" });
  const uploaded = await uploadPhoto(seller, await photo());
  const { data } = (await uploaded.json()) as { data: { url: string } };
  return data.url;
}

test("a flood of wrong passwords from one IP address does not block API calls, photos or other sign-ins", async ({
  shop,
}) => {
  const url = await photoOnSale(shop);
  const email = "ada@example.com";
  await signUpIn(shop.url, email);
  const pages = [
    "/categories",
    "/advertisedProducts",
    `/categoryProducts/${await anyCategory(shop)}`,
  ];

  const countEnded = recordTurns();
  const { state, end } = flood(shop, 60);
  // The first responses are 503s, because this IP address has too many concurrent sign-ins.
  await expect.poll(() => state.ended).toBeGreaterThan(0);
  const asked = [url, ...pages.map((path) => `${shop.url}/api${path}`)];
  const headers = { "accept-encoding": "br" };
  const shown = await Promise.all(asked.map((one) => fetch(one, { headers })));
  expect(shown.map(({ status }) => status)).toEqual(asked.map(() => 200));
  const right = await signIn(shop, email, { from: "203.0.113.2", password: "Secret#2026" });
  expect(right.status).toBe(200);
  expect(state.ended).toBeLessThan(60);
  // Two passwords were being checked, and eight were waiting.
  expect(countEnded("203.0.113.1", { during: "203.0.113.2" })).toBeLessThan(8);

  const answers = await end();
  const [refused] = answers.filter(({ status }) => status === 503);
  // Compares whole responses, so that a failing test shows them.
  expect(answers.filter(({ status }) => status !== 401 && status !== 503)).toEqual([]);
  expect(answers.some(({ status }) => status === 401)).toBe(true);
  expect(refused).toMatchObject({
    retryAfter: "5",
    body: { code: "UNAVAILABLE", message: expect.stringContaining("try again in a few seconds") },
  });
  // The limit on concurrent sign-ins needs no database, so only the 401s were counted there.
  const tries = await shop.deps.db
    .selectFrom("rate_limits")
    .where("key", "like", "%guesses here%203.0.113.1%")
    .select(({ fn }) => fn.countAll<string>().as("accounts"))
    .executeTakeFirstOrThrow();
  expect(Number(tries.accounts)).toBe(answers.filter(({ status }) => status === 401).length);
  expect((await signIn(shop, email, { password: "Secret#2026" })).status).toBe(200);
});

test("a sign-in that is rejected because the queue is full does not count as a password guess", async ({
  shop,
}) => {
  const email = "eve@example.com";
  await signUpIn(shop.url, email);
  const threads = openScryptThreads({ threads: 0, maxWaiting: 0 });
  onTestFinished(() => threads.close());
  const passwords = passwordHashing(threads, shop.deps.config.scryptCost);
  const full = await buildApp({ ...shop.deps, identity: createIdentity(shop, { passwords }) });
  onTestFinished(() => full.close());
  const from = "203.0.113.3";
  // Two more than the number of wrong passwords that blocks an account for this IP address.
  for (let count = 0; count < 12; count += 1)
    expect(await signIn(shop, email, { from, at: full })).toMatchObject({ status: 503 });
  const right = await signIn(shop, email, { from, password: "Secret#2026" });
  expect(right.status).toBe(200);
});

test("a sign-in no longer counts as concurrent after its client disconnects", async ({ shop }) => {
  const email = "bob@example.com";
  await signUpIn(shop.url, email);
  const { port } = new URL(shop.url);
  const head = [
    "POST /api/auth/sign-in/email HTTP/1.1",
    "host: 127.0.0.1",
    `origin: ${shop.url}`,
    "content-type: application/json",
    "content-length: 500",
    "expect: 100-continue",
    "",
    "",
  ].join("\r\n");
  for (let count = 0; count < 12; count += 1) {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(head);
    // After sending "100 Continue", the server processes the request.
    await once(socket, "data");
    socket.destroy();
  }
  const from = "127.0.0.1";
  const status = async () => (await signIn(shop, email, { from, password: "Secret#2026" })).status;
  await expect.poll(status).toBe(200);
});
