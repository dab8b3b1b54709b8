import Fastify, { type FastifyInstance } from "fastify";
import type { SandboxConfig } from "./config.ts";
import { google } from "./google/plugin.ts";
import { checkHostHeader } from "./host-header.ts";
import { mail } from "./mail/plugin.ts";
import { stripe } from "./stripe/plugin.ts";

const plugins = { stripe, google, mail };

export const services = Object.keys(plugins);

/** `smtpUrl` is the sandbox mail server's URL. */
export async function buildSandbox(config: SandboxConfig): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: 65_536, forceCloseConnections: true });
  checkHostHeader(app, config);
  for (const plugin of Object.values(plugins)) await app.register(plugin, config);
  return app;
}
