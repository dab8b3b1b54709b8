import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import type { SandboxConfig } from "../config.ts";
import { openInbox } from "./inbox.ts";
import { pages } from "./pages.ts";
import { parseEmail } from "./parse-email.ts";
import { startSmtpServer } from "./smtp-server.ts";

declare module "fastify" {
  interface FastifyInstance {
    smtpUrl: string;
  }
}

/** An SMTP server on its own port, and an inbox page with every received email. */
export const mail = fp(async (app: FastifyInstance, config: SandboxConfig) => {
  const inbox = openInbox(join(config.stateDir, "mail.sqlite"));
  const smtp = await startSmtpServer(async (recipients, message) => {
    inbox.add(recipients, await parseEmail(message));
  });
  app.decorate("smtpUrl", smtp.url);
  app.addHook("onClose", async () => {
    smtp.close();
    inbox.close();
  });
  await app.register(async (scope) => pages(scope, inbox));
});
