import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import type { FastifyInstance } from "fastify";

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const everyInterface = ["0.0.0.0", "::"];

/** Stops DNS rebinding pages from reading the inbox and calling the API with the sandbox's keys. */
export function checkHostHeader(app: FastifyInstance, { host }: { host: string }): void {
  const names = new Set([
    ...loopback,
    ...(everyInterface.includes(host) ? ownAddresses() : [host]),
  ]);
  app.addHook("onRequest", async (request, reply) => {
    const { port } = app.server.address() as AddressInfo;
    const host = URL.parse(`http://${request.headers.host}`);
    if (host && names.has(host.hostname) && Number(host.port || 80) === port) return;
    return reply
      .code(421)
      .type("text/plain; charset=utf-8")
      .send(`The sandbox answers only at its own address. Open http://127.0.0.1:${port}.\n`);
  });
}

function ownAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
}
