import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { maxConnectionsPerAddress } from "#server/http/request-limits.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

let closing: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

async function limitedShop(env: Record<string, string> = {}): Promise<Shop> {
  const shop = await openShop({ env: { RATE_LIMIT: "on", ...env } });
  closing.push(() => shop.close());
  return shop;
}

/** Sends half a request, from a different local IP address than `fetch` uses. */
async function openHalf(shop: Shop): Promise<Socket> {
  const port = Number(new URL(shop.url).port);
  const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  closing.push(() => socket.destroy());
  socket.on("error", () => {}).resume();
  await Promise.race([once(socket, "connect"), new Promise((over) => socket.once("close", over))]);
  socket.write("GET / HT");
  return socket;
}

/** Sends the other half of the request. Returns the start of the status line. */
async function complete(socket: Socket): Promise<string> {
  socket.write("TP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
  const [data = ""] = await Promise.race([once(socket, "data"), once(socket, "close")]);
  return String(data).slice(0, 12);
}

const openOnes = (sockets: Socket[]) => sockets.filter(({ closed }) => !closed);

test("another IP address is served despite 5,200 half-sent requests from one IP address", async () => {
  const shop = await limitedShop();
  const sockets: Socket[] = [];
  while (sockets.length < 5_200)
    sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => openHalf(shop)))));
  expect((await fetch(`${shop.url}/api/categories`)).status).toBe(200);
  await expect.poll(() => openOnes(sockets).length).toBeLessThanOrEqual(maxConnectionsPerAddress);
});

test("an IP address at its connection limit gets 429 until its connections are closed", async () => {
  const shop = await limitedShop();
  const sockets = await Promise.all(
    Array.from({ length: maxConnectionsPerAddress }, () => openHalf(shop)),
  );
  const socket = connect({
    port: Number(new URL(shop.url).port),
    host: "127.0.0.1",
    localAddress: "127.0.0.2",
  });
  let answer = "";
  socket.on("data", (data) => (answer += String(data)));
  await once(socket, "close");
  expect(answer).toMatch(/^HTTP\/1.1 429 .*close some and try again/s);
  for (const open of sockets) open.destroy();
  await expect.poll(async () => await complete(await openHalf(shop))).toBe("HTTP/1.1 404");
});

test("a trusted proxy can open more connections than other IP addresses", async () => {
  const shop = await limitedShop({ TRUST_PROXY: "127.0.0.2" });
  const sockets = await Promise.all(
    Array.from({ length: maxConnectionsPerAddress + 20 }, () => openHalf(shop)),
  );
  const answers = sockets.map(complete);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(["HTTP/1.1 404"]));
});
