import fs from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openShop, type Shop } from "#server/testing/shop.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ env: { LOG_LEVEL: "info" } });
});
afterAll(() => shop.close());

/** What the program logs while somebody asks for this. */
async function logOf(url: string): Promise<string> {
  const written = vi.spyOn(fs, "write");
  const headers = { authorization: "Bearer s3cret", cookie: "secondlap.session_token=s3cret" };
  await shop.app.inject({ url, headers, remoteAddress: "203.0.113.7" });
  const log = () => written.mock.calls.map(([, lines]) => String(lines)).join("");
  await expect.poll(log).toContain("request completed");
  const lines = log();
  written.mockRestore();
  return lines;
}

test("the log says which route was asked from where, and no address, token or cookie", async () => {
  const log = await logOf("/api/users/seller/ada@example.com?token=s3cret");
  expect(log).toContain('"route":"/api/users/seller/:email"');
  expect(log).toContain("203.0.113.7");
  expect(log).toContain('"statusCode":401');
  for (const secret of ["ada@", "s3cret"]) expect(log).not.toContain(secret);
  const lost = await logOf("/no/such/ada@example.com?token=s3cret");
  expect(lost).toContain('"statusCode":404');
  for (const secret of ["ada@", "s3cret"]) expect(lost).not.toContain(secret);
});

test("the log says what was asked of the identity service, and how it went", async () => {
  const log = await logOf("/api/auth/get-session");
  expect(log).toContain('"asked":"GET /get-session","status":200');
});

test("an error is logged with its stack and cause, without what it is about", async () => {
  const detail = "Key (email)=(ada@example.com) already exists.";
  const cause = Object.assign(new Error("duplicate key"), { code: "23505", detail });
  const raw = { payment_intent: { client_secret: "pi_1_secret_2" } };
  const read = vi.spyOn(shop.deps.images, "read");
  read.mockRejectedValue(Object.assign(new Error("not read", { cause }), { raw }));
  const log = await logOf(`/images/${"0".repeat(64)}.jpg`);
  read.mockRestore();
  for (const part of ["not read", "duplicate key", "23505", "logs.test.ts"]) {
    expect(log).toContain(part);
  }
  for (const secret of ["ada@", "pi_1_secret_2"]) expect(log).not.toContain(secret);
});
