import { readFileSync } from "node:fs";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import type { SandboxConfig } from "./config.ts";
import { google } from "./google/plugin.ts";
import { checkHostHeader } from "./host-header.ts";
import { mail } from "./mail/plugin.ts";
import { stripe } from "./stripe/plugin.ts";

const style = readFileSync(join(import.meta.dirname, "pages.css"));

/** `smtpUrl` is the sandbox mail server's URL. */
export async function buildSandbox(config: SandboxConfig): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: 65_536, forceCloseConnections: true });
  checkHostHeader(app, config);
  app.get("/pages.css", async (_request, reply) => reply.type("text/css").send(style));
  for (const plugin of [stripe, google, mail]) await app.register(plugin, config);
  return app;
}
