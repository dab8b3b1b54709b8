import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

/** Returns the redirect URI. Closes after the file's tests. */
export async function openRelyingParty(): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://here");
    // Redirects again after the callback, as the shop does.
    if (pathname === "/callback") response.writeHead(302, { location: `/done${search}` }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/callback`;
}
