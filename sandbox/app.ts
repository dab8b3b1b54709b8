import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import type { SandboxConfig } from "./config.ts";
import { google } from "./google/plugin.ts";
import { mail } from "./mail/plugin.ts";
import { stripe } from "./stripe/plugin.ts";

const style = readFileSync(join(import.meta.dirname, "pages.css"));

/** `smtpUrl` of the result is the URL of the sandbox's mail server. */
export async function buildSandbox(config: SandboxConfig): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: 65_536, forceCloseConnections: true });
  checkHostHeader(app, config);
  app.get("/pages.css", async (_request, reply) => reply.type("text/css").send(style));
  for (const plugin of [stripe, google, mail]) await app.register(plugin, config);
  return app;
}

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const everyInterface = ["0.0.0.0", "::"];

/** Requires the sandbox's own host, so that DNS rebinding can't reach the inbox and the API. */
function checkHostHeader(app: FastifyInstance, { host }: { host: string }): void {
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
