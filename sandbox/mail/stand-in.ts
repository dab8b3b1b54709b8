import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import type { SandboxConfig } from "../config.ts";
import { openInbox } from "./inbox.ts";
import { readMessage } from "./mime.ts";
import { pages } from "./pages.ts";
import { listenForMail } from "./smtp.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Where the stand-in takes mail. */
    smtpUrl: string;
  }
}

/** Plays the mail server: SMTP on a port of its own, and an inbox of everything it was given. */
export const mail = fp(async (app: FastifyInstance, config: SandboxConfig) => {
  const inbox = openInbox(join(config.stateDir, "mail.sqlite"));
  const smtp = await listenForMail(({ to, raw }) => inbox.keep(to, readMessage(raw)));
  app.decorate("smtpUrl", smtp.url);
  app.addHook("onClose", async () => {
    smtp.close();
    inbox.close();
  });
  await app.register(async (scope) => pages(scope, inbox));
});
