import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { shopTest } from "#server/testing/fixtures.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest({ pages: true });

/** Sends raw text, because `fetch` would normalize the request. Returns all responses. */
async function answersTo(shop: Shop, request: string): Promise<string> {
  const socket = connect(Number(new URL(shop.url).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(request);
  return await text(socket);
}

async function statusOf(shop: Shop, ...lines: string[]): Promise<number> {
  const answer = await answersTo(shop, [...lines, "connection: close", "", ""].join("\r\n"));
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
}

const ups = [
  "../",
  "..%2f",
  "%2e%2e/",
  "%2e%2e%2f",
  "..%5c",
  "..\\",
  "..%255c",
  "..%252f",
  ".%2e/",
  "....//",
  "..;/",
  "%c0%ae%c0%ae/",
  "..%00/",
  "/",
  "%2f",
  "%5c",
];
const mounts = ["/", "/assets/", "/images/", "/brands/", "/api/docs/", "/api/docs/static/"];
const out = mounts.flatMap((mount) =>
  ups.flatMap((up) => [
    `${mount}${up.repeat(3)}package.json`,
    `${mount}${up.repeat(8)}etc/passwd`,
    `${mount}x/${up}${up}${up}package.json`,
  ]),
);

test("path traversal does not reach a file outside the static folders", async ({ shop }) => {
  const wrong: string[] = [];
  for (const path of new Set(out)) {
    const status = await statusOf(shop, `GET ${path} HTTP/1.1`, "host: a");
    // The status is 400 if the path can't be decoded.
    if (![400, 404].includes(status)) wrong.push(`${status} ${path}`);
  }
  expect(wrong).toEqual([]);
});

const get = "GET /healthz HTTP/1.1";

test.for([
  ["one Host header", [get, "host: a"], 200],
  ["two Host headers", [get, "host: a", "Host: b"], 400],
  ["the same Host twice", [get, "host: a", "host: a"], 400],
  ["no Host header", [get], 400],
  ["a header over two lines", [get, "host: a", "x: 1", " 2"], 400],
] as const)("%s: %j gets status %i", async ([_, lines, status], { shop }) => {
  expect(await statusOf(shop, ...lines)).toBe(status);
});

test.for([
  ["a length and chunks", ["content-length: 4", "transfer-encoding: chunked"]],
  ["two lengths", ["content-length: 4", "content-length: 40"]],
  ["the same length twice", ["content-length: 4", "content-length: 4"]],
  ["an invalid length", ["content-length: +4"]],
  ["a space before the colon", ["transfer-encoding : chunked"]],
  ["a header over two lines", ["content-length: 4", " transfer-encoding: chunked"]],
  ["an unknown transfer encoding", ["transfer-encoding: xchunked"]],
] as const)(
  "a request with an ambiguous end gets 400, and a request hidden in its body gets no response: %s",
  async ([_, lines], { shop }) => {
    const hidden = `${get}\r\nhost: secondlap.test\r\n\r\n`;
    const head = ["POST /api/users HTTP/1.1", "host: secondlap.test", ...lines, "", ""];
    const answers = await answersTo(shop, `${head.join("\r\n")}0\r\n\r\n${hidden}`);
    expect(answers).toMatch(/^HTTP\/1\.1 400 /);
    expect(answers.match(/HTTP\/1\.1/g)).toHaveLength(1);
  },
);
