import { createServer } from "node:http";

/** A server as fast as Node makes one: whatever is asked, it sends the answer its parent gave it. */
process.once("message", ({ status, headers, body }) => {
  const bytes = Buffer.from(body, "base64");
  const server = createServer((_, response) => response.writeHead(status, headers).end(bytes));
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
});
process.once("disconnect", () => process.exit());
