import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { shopTest } from "#server/testing/fixtures.ts";
import { createMember } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest();

const head = (method: string, path: string, ...lines: string[]) =>
  [`${method} ${path} HTTP/1.1`, "host: secondlap.test", ...lines, ""].join("\r\n");
const json = ["content-type: application/json", "content-length: 1000"];
const form = ["content-type: multipart/form-data; boundary=x", "content-length: 9000000"];

/** What a slow client sends first, and then each second. */
type Way = { what: string; first: string; after: string };
const bodyByTheByte: Way = {
  what: "a body by the byte",
  first: `${head("POST", "/api/productViews", ...json)}\r\n`,
  after: " ",
};
const ways: Way[] = [
  { what: "nothing", first: "", after: "" },
  { what: "half a line", first: "GET /api/cat", after: "" },
  { what: "headers without end", first: head("GET", "/api/categories"), after: "x" },
  {
    what: "a body that does not come",
    first: `${head("POST", "/api/productViews", ...json)}\r\n`,
    after: "",
  },
  bodyByTheByte,
  {
    what: "a body nobody asked for",
    first: `${head("POST", "/api/products", ...json)}\r\n`,
    after: " ",
  },
  {
    what: "chunks",
    first: `${head("POST", "/api/users", "transfer-encoding: chunked")}\r\n`,
    after: "1",
  },
  // Uploads have more time, but only authenticated ones.
  ...[
    "/nowhere",
    "/api/products",
    "/api/auth/sign-in/email",
    "/api/images/1/upload?key=embedded",
  ].map((path) => ({
    what: `a form to ${path}`,
    first: `${head("POST", path, ...form)}\r\n`,
    after: "-",
  })),
  { what: "nothing more after an answer", first: `${head("GET", "/healthz")}\r\n`, after: "" },
];

/**
 * Connects and sends slowly; resolves with the seconds until the connection was closed. Seconds are ticks of an
 * interval in the server's process, so that a stalled machine delays both.
 */
async function beSlow(shop: Shop, { first, after }: Way): Promise<{ cutOff: Promise<number> }> {
  const socket: Socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  socket.on("error", () => {}).resume();
  await once(socket, "connect");
  let seconds = 0;
  socket.write(first);
  const dribble = setInterval(() => {
    seconds += 1;
    if (after && socket.writable) socket.write(after);
  }, 1_000);
  // Not `once`, which rejects on a connection reset.
  const cutOff = new Promise<number>((closed) => {
    socket.on("close", () => {
      clearInterval(dribble);
      closed(seconds);
    });
  });
  return { cutOff };
}

test("300 slow clients are disconnected within 10 seconds, and others are served meanwhile", async ({
  shop,
}) => {
  const seller = await createMember(shop, { accountType: "seller" });
  const token = `authorization: Bearer ${await seller.token()}`;
  const first = `${head("POST", "/api/images/1/upload?key=embedded", token, ...form)}\r\n--x\r\n`;
  const photo = await beSlow(shop, { what: "a photo", first, after: "-" });
  const slow = await Promise.all(
    Array.from({ length: 300 }, (_, n) => beSlow(shop, ways[n % ways.length] as Way)),
  );
  const last = await beSlow(shop, bodyByTheByte);
  const answered = Promise.all(
    Array.from({ length: 50 }, async () => (await fetch(`${shop.url}/api/categories`)).status),
  );
  const earlier = await Promise.race([answered, last.cutOff.then(() => "cut off first")]);
  expect(earlier).toEqual(Array(50).fill(200));
  const longest = Math.max(...(await Promise.all(slow.map(({ cutOff }) => cutOff))));
  expect(longest).toBeLessThanOrEqual(10);
  // An upload of one byte a second is below the minimum rate.
  expect(await photo.cutOff).toBeLessThanOrEqual(20);
});
