import type { Server } from "node:http";
import type { Socket } from "node:net";
import proxyAddr from "@fastify/proxy-addr";
import type { Config } from "../config.ts";
import { networkOf } from "../db/rate-limiter.ts";
import { RunningCounts } from "../running-counts.ts";

/** Enough for forty browsers behind one router. */
export const maxConnectionsPerAddress = 256;

/**
 * Limits the open connections of an IP address or IPv6 /64 network. Trusted proxies are exempt,
 * because they carry many clients.
 */
export function limitConnections(
  server: Server,
  { rateLimit, trustProxy }: Pick<Config, "rateLimit" | "trustProxy">,
): void {
  if (!rateLimit) return;
  const isProxy = proxyAddr.compile(trustProxy);
  const open = new RunningCounts();
  server.prependListener("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isProxy(remoteAddress, 0)) return;
    const network = networkOf(remoteAddress);
    if (open.of(network) >= maxConnectionsPerAddress) return reject(socket);
    socket.once("close", open.begin(network));
  });
}

function reject(socket: Socket): void {
  // The client may close the connection first.
  socket.on("error", () => {});
  socket.end(tooMany);
  socket.destroySoon();
}

const body = JSON.stringify({
  message: "Too many connections are open from your address. Please close some and try again.",
  code: "TOO_MANY_REQUESTS",
});
const tooMany = [
  "HTTP/1.1 429 Too Many Requests",
  "content-type: application/json; charset=utf-8",
  `content-length: ${body.length}`,
  "retry-after: 10",
  "connection: close",
  "",
  body,
].join("\r\n");
