import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { httpTimeouts } from "#server/settings/http-and-provider-timeouts.ts";
import { member } from "#server/testing/people.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";

const dribbleMs = 200;
/** A timeout in ms that is longer than the test takes. */
const longer = 300_000;

const head = (method: string, path: string, ...lines: string[]) =>
  [`${method} ${path} HTTP/1.1`, "host: secondlap.test", ...lines, ""].join("\r\n");
const json = ["content-type: application/json", "content-length: 1000"];
const form = ["content-type: multipart/form-data; boundary=x", "content-length: 9000000"];

/** A client sends `first` immediately, and then `after` every `dribbleMs`. */
type Way = { what: string; first: string; after: string };
const ways: Way[] = [
  { what: "nothing", first: "", after: "" },
  { what: "half a line", first: "GET /api/cat", after: "" },
  { what: "headers without end", first: head("GET", "/api/categories"), after: "x" },
  {
    what: "a body that does not come",
    first: `${head("POST", "/api/productViews", ...json)}\r\n`,
    after: "",
  },
  {
    what: "a body by the byte",
    first: `${head("POST", "/api/productViews", ...json)}\r\n`,
    after: " ",
  },
  {
    what: "an unwanted body",
    first: `${head("POST", "/api/products", ...json)}\r\n`,
    after: " ",
  },
  {
    what: "chunks",
    first: `${head("POST", "/api/users", "transfer-encoding: chunked")}\r\n`,
    // A chunk's size. Repeated digits other than zero would overflow it.
    after: "0",
  },
  // Only authenticated uploads get extra time.
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

type SlowClient = { what: string; isOpen: boolean };

/** Connects a client that sends until the server closes the connection or the test ends. */
async function connectSlowly(shop: Shop, { what, first, after }: Way): Promise<SlowClient> {
  const socket: Socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  socket.on("error", () => {}).resume();
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  const client = { what, isOpen: true };
  socket.write(first);
  const dribble = setInterval(() => after && socket.writable && socket.write(after), dribbleMs);
  socket.on("close", () => {
    clearInterval(dribble);
    client.isOpen = false;
  });
  return client;
}

/** Connects 300 slow clients that cycle through `ways`, and one that slowly uploads a photo. */
async function connectMany(shop: Shop): Promise<SlowClient[]> {
  const seller = await member(shop, { accountType: "seller" });
  const token = `authorization: Bearer ${await seller.token()}`;
  const first = `${head("POST", "/api/images/1/upload?key=embedded", token, ...form)}\r\n--x\r\n`;
  const photo = connectSlowly(shop, { what: "a photo", first, after: "-" });
  const others = Array.from({ length: 300 }, (_, n) =>
    connectSlowly(shop, ways[n % ways.length] as Way),
  );
  return await Promise.all([photo, ...others]);
}

async function openShopWith(changes: Partial<typeof httpTimeouts>): Promise<Shop> {
  const shop = await openShop({ config: { httpTimeouts: { ...httpTimeouts, ...changes } } });
  onTestFinished(() => shop.close());
  return shop;
}

const openOnes = (clients: SlowClient[]) => [
  ...new Set(clients.filter(({ isOpen }) => isOpen).map(({ what }) => what)),
];

test("300 slow clients are disconnected before the last-resort timeouts", async () => {
  const shop = await openShopWith({
    headers: 1_000,
    body: 1_000,
    idle: 1_000,
    uploadRateWindow: 1_000,
    afterResponse: 500,
    check: 200,
    // The last-resort timeouts.
    upload: longer,
    silence: longer,
  });
  const clients = await connectMany(shop);
  await expect.poll(() => openOnes(clients)).toEqual([]);
});

test("the timeouts disconnect a slow client within 10 seconds, a slow upload within 20, and a silent client within a minute", () => {
  const { headers, body, afterResponse, idle, silence, check, uploadRateWindow } = httpTimeouts;
  // Node.js waits one second longer than `idle`.
  for (const maxMs of [headers + check, body + afterResponse, idle + 1_000])
    expect(maxMs).toBeLessThanOrEqual(10_000);
  expect(uploadRateWindow + afterResponse).toBeLessThanOrEqual(20_000);
  expect(silence).toBeLessThanOrEqual(60_000);
});

test("other clients are served while 300 slow clients are connected", async () => {
  const shop = await openShopWith({
    headers: longer,
    body: longer,
    idle: longer,
    uploadRateWindow: longer,
    afterResponse: longer,
    upload: longer,
    silence: longer,
  });
  const clients = await connectMany(shop);
  const answers = Array.from({ length: 50 }, () => fetch(`${shop.url}/api/categories`));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses).toEqual(Array(50).fill(200));
  expect(clients.filter(({ isOpen }) => isOpen)).toHaveLength(clients.length);
});
