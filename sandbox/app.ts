import Fastify, { type FastifyInstance } from "fastify";
import type { SandboxConfig } from "./config.ts";
import { google } from "./google/plugin.ts";
import { checkHostHeader } from "./host-header.ts";
import { mail } from "./mail/plugin.ts";
import { stripe } from "./stripe/plugin.ts";

/** `smtpUrl` is the sandbox mail server's URL. */
export async function buildSandbox(config: SandboxConfig): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: 65_536, forceCloseConnections: true });
  checkHostHeader(app, config);
  for (const plugin of [stripe, google, mail]) await app.register(plugin, config);
  return app;
}
