import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { httpTimeouts } from "#server/settings/http-and-provider-timeouts.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { photo } from "#server/testing/marketplace.ts";
import { member, type Person } from "#server/testing/people.ts";
import { recordTurns } from "#server/testing/rate-limits.ts";
import type { Shop } from "#server/testing/shop.ts";
import { png } from "./image-bombs.ts";

const test = shopTest({
  env: { TRUST_PROXY: "127.0.0.1" },
  config: { httpTimeouts: { ...httpTimeouts, uploadRateWindow: 3_000 } },
});

const [attacker, visitor] = ["203.0.113.7", "198.51.100.9"];
const path = "/api/images/1/upload?key=embedded";

async function sellers(shop: Shop, count: number): Promise<Person[]> {
  return await Promise.all(
    Array.from({ length: count }, () => member(shop, { accountType: "seller" })),
  );
}

async function uploadFrom(address: string, who: Person, bytes: Buffer): Promise<number> {
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(bytes)]), "photo");
  const headers = { authorization: `Bearer ${await who.token()}`, "x-forwarded-for": address };
  const url = new URL(path, who.connection.host);
  const { status } = await fetch(url, { method: "POST", body, headers });
  return status;
}

type SlowUpload = { socket: Socket; answer: Promise<string> };

/** Starts an upload that sends one byte a second. */
async function trickle(shop: Shop, who: Person): Promise<SlowUpload> {
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: x",
    `authorization: Bearer ${await who.token()}`,
    `x-forwarded-for: ${attacker}`,
    "content-type: multipart/form-data; boundary=x",
    "content-length: 9000000",
  ];
  const part = 'content-disposition: form-data; name="image"; filename="a.jpg"';
  socket.on("error", () => {}).write(`${head.join("\r\n")}\r\n\r\n--x\r\n${part}\r\n\r\n`);
  const bytes = setInterval(() => socket.writable && socket.write("-"), 1_000);
  socket.on("close", () => clearInterval(bytes));
  return { socket, answer: once(socket, "data").then(String) };
}

test("70 slow uploads from one IP address do not block another IP address", async ({ shop }) => {
  const [honest, ...accounts] = (await sellers(shop, 8)) as [Person, ...Person[]];
  const slow = await Promise.all(
    accounts.flatMap((account) => Array.from({ length: 10 }, () => trickle(shop, account))),
  );
  const told: string[] = [];
  for (const { answer } of slow) void answer.then((text) => told.push(text));
  const count = (what: RegExp) => told.filter((text) => what.test(text)).length;
  await expect.poll(() => count(/^HTTP\/1.1 429/)).toBeGreaterThan(0);
  expect(await uploadFrom(visitor, honest, await photo())).toBe(200);
  // The accepted uploads then fail with 400, because they are too slow. That frees their slots.
  await expect.poll(() => told.length).toBe(slow.length);
  expect(count(/^HTTP\/1.1 400.*arrived too slowly/s)).toBeGreaterThanOrEqual(12);
  expect(await uploadFrom(attacker, honest, await photo())).toBe(200);
  for (const { socket } of slow) socket.destroy();
});

test("30 interlaced PNGs from one IP address do not block a photo from another IP address", async ({
  shop,
}) => {
  const [honest, ...accounts] = (await sellers(shop, 6)) as [Person, ...Person[]];
  const bomb = png({ width: 2_000, height: 2_000, bits: 8, channels: 4, interlaced: true });
  const countEnded = recordTurns();
  const statuses: number[] = [];
  const bombs = Array.from({ length: 30 }, async (_, n) =>
    statuses.push(await uploadFrom(attacker, accounts[n % 5] as Person, bomb)),
  );
  // Uploads beyond the IP address's slots get 429. The other uploads wait in the queue.
  await expect.poll(() => statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(await uploadFrom(visitor, honest, await photo())).toBe(200);
  // Up to twelve PNGs were in the queue. One was being decoded.
  expect(countEnded(attacker, { during: visitor })).toBeLessThan(3);
  await Promise.all(bombs);
  expect(statuses.every((status) => [200, 429, 503].includes(status))).toBe(true);
});
