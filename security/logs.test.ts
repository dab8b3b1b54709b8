import fs from "node:fs";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, vi } from "vitest";
import { updateProfile } from "#contract/members.ts";
import { transact } from "#server/db/database.ts";
import { recordAudit } from "#server/db/record-audit.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { member } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest({ env: { LOG_LEVEL: "info" } });

test.beforeAll(async () => {
  vi.spyOn(fs, "write").mockImplementation(keep as typeof fs.write);
});

let log = "";

const { write } = fs;

/** Captures standard output instead of printing it. */
function keep(...given: [number, string, (error: null, bytes: number) => void]): void {
  const [file, lines, done] = given;
  if (file !== 1) return void Reflect.apply(write, fs, given);
  log += lines;
  done(null, Buffer.byteLength(lines));
}

test.afterAll(async () => {
  vi.restoreAllMocks();
});

async function logOf(shop: Shop, url: string): Promise<string> {
  log = "";
  const headers = { authorization: "Bearer s3cret", cookie: "secondlap.session_token=s3cret" };
  await shop.app.inject({ url, headers, remoteAddress: "203.0.113.7" });
  await expect.poll(() => log).toContain("request completed");
  return log;
}

test("the log has the route and the client's IP address, but no email address, token or cookie", async ({
  shop,
}) => {
  const log = await logOf(shop, "/api/users/seller/ada@example.com?token=s3cret");
  expect(log).toContain('"route":"/api/users/seller/:email"');
  expect(log).toContain("203.0.113.7");
  expect(log).toContain('"statusCode":401},"errorCode":"NOT_SIGNED_IN"');
  for (const secret of ["ada@", "s3cret"]) expect(log).not.toContain(secret);
  expect(log.trim().split("\n")).toHaveLength(1);
  const lost = await logOf(shop, "/no/such/ada@example.com?token=s3cret");
  expect(lost).toContain('"statusCode":404');
  for (const secret of ["ada@", "s3cret"]) expect(lost).not.toContain(secret);
});

test("load balancer probes are not logged", async ({ shop }) => {
  log = "";
  for (const url of ["/healthz", "/readyz", "/healthz"])
    expect((await shop.app.inject({ url })).statusCode).toBe(200);
  await shop.app.inject({ url: "/api/categories" });
  await expect.poll(() => log).toContain("/api/categories");
  expect(log).not.toMatch(/healthz|readyz/);
});

test("requests to the identity service are logged with their status", async ({ shop }) => {
  const log = await logOf(shop, "/api/auth/get-session");
  expect(log).toContain('"route":"GET /get-session","status":200');
});

test("a state change is logged once, after the commit, with actor and object", async ({ shop }) => {
  const buyer = await member(shop);
  log = "";
  await buyer.call(updateProfile, { body: { name: "Ada Lovelace" } });
  await expect.poll(() => log).toContain('"change"');
  const refused = transact(shop.deps.db, "nothing", async (tx) => {
    const change = { at: new Date(), actor: null, verb: "fail", object: "member" } as const;
    await recordAudit(tx, { ...change, objectId: buyer.id });
    throw new Error("after all not");
  });
  await expect(refused).rejects.toThrow("after all not");
  const lines = log.split("\n").filter((line) => line.includes('"change"'));
  const { id } = buyer;
  const change = { actor: id, verb: "update profile", object: "member", objectId: id };
  expect(lines.map((line) => JSON.parse(line).change)).toEqual([change]);
  expect(lines.join()).not.toMatch(/Ada|@/);
});

test("an aborted request is not logged as an error", async ({ shop }) => {
  const seller = await member(shop, { accountType: "seller" });
  log = "";
  const part = 'content-disposition: form-data; name="image"; filename="a.jpg"';
  for (const [path, type, start] of [
    [
      "/api/images/1/upload?key=embedded",
      "multipart/form-data; boundary=x",
      `--x\r\n${part}\r\n\r\nhalf`,
    ],
    ["/api/products", "application/json", '{"half":'],
  ]) {
    const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
    const token = `authorization: Bearer ${await seller.token()}`;
    const size = "content-length: 9000";
    const head = [`POST ${path} HTTP/1.1`, "host: x", token, `content-type: ${type}`, size];
    socket.write(`${head.join("\r\n")}\r\n\r\n${start}`);
    await wait(200);
    socket.destroy();
  }
  await wait(200);
  expect(log).not.toContain('"level":50');
});

test("email addresses and secrets in a library's error message are redacted", async ({ shop }) => {
  const read = vi.spyOn(shop.deps.images, "read");
  const secrets = [
    "ada@example.com",
    "eyJhbGciOi.J9.x",
    "sk_live_4242",
    "hunter2",
    "pi_1_secret_2",
  ];
  const [email, token, key, password, intent] = secrets;
  const said = `${email} sent Bearer ${token} with ${key} to postgres://u:${password}@db/x for ${intent}`;
  read.mockRejectedValue(new Error(said));
  const log = await logOf(shop, `/images/${"0".repeat(64)}.jpg`);
  read.mockRestore();
  expect(log).toContain("[address] sent Bearer [secret]");
  for (const secret of [email, token, key, password, "_secret_2"]) {
    expect(log).not.toContain(secret);
  }
});

test("an error is logged with its stack and cause, but without personal data", async ({ shop }) => {
  const detail = "Key (email)=(ada@example.com) already exists.";
  const cause = Object.assign(new Error("duplicate key"), { code: "23505", detail });
  const raw = { payment_intent: { client_secret: "pi_1_secret_2" } };
  const read = vi.spyOn(shop.deps.images, "read");
  read.mockRejectedValue(Object.assign(new Error("not read", { cause }), { raw }));
  const log = await logOf(shop, `/images/${"0".repeat(64)}.jpg`);
  read.mockRestore();
  for (const part of ["not read", "duplicate key", "23505", "logs.test.ts"]) {
    expect(log).toContain(part);
  }
  for (const secret of ["ada@", "pi_1_secret_2"]) expect(log).not.toContain(secret);
});
