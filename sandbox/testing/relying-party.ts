import { once } from "node:events";
import { createServer } from "node:http";

export async function openRelyingParty() {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://here");
    // Redirects again after the callback, as the shop does.
    if (pathname === "/callback") response.writeHead(302, { location: `/done${search}` }).end();
    else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Back</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return {
    redirectUri: `http://127.0.0.1:${address.port}/callback`,
    close: () => server.close(),
  };
}
