import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";

const { port } = new URL((await sandboxForFile()).url);

async function ask(path: string, host: string) {
  const request = get({ port, path, headers: { host } });
  const [response] = await once(request, "response");
  return { status: response.statusCode, body: await text(response) };
}

const paths = ["/mail", "/mail/messages", "/v1/events", "/_control/ledger", "/stripe/v3/"];

test.each(paths)("%s returns 421 for another site's Host header", async (path) => {
  for (const host of [`evil.example:${port}`, "evil.example", `localhost.evil.example:${port}`]) {
    const { status, body } = await ask(path, host);
    expect(status).toBe(421);
    expect(body).toContain(`Open http://127.0.0.1:${port}.`);
  }
});

test("the sandbox accepts a loopback name as Host, but only with the sandbox's own port", async () => {
  for (const name of ["127.0.0.1", "localhost", "[::1]"])
    expect((await ask("/mail", `${name}:${port}`)).status).toBe(200);
  expect((await ask("/mail", "localhost:1")).status).toBe(421);
});
