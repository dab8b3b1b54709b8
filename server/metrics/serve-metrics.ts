import { once } from "node:events";
import { createServer } from "node:http";
import type { Metrics } from "./metrics.ts";

type Address = { host: string; port: number };

/** Uses a separate port that no proxy of the shop exposes. Returns a function to stop serving. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: Address,
): Promise<() => Promise<void>> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") {
      response
        .writeHead(404, { "content-type": "text/plain" })
        .end("There is only GET /metrics.\n");
      return;
    }
    const text = await metrics.text();
    response.writeHead(200, { "content-type": metrics.registry.contentType }).end(text);
  });
  // Twenty connections are enough, because a scraper needs only one.
  server.maxConnections = 20;
  server.listen(port, host);
  await once(server, "listening");
  return async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
}
