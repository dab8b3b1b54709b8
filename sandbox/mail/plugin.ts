import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance } from "fastify";
import fp from "fastify-plugin";
import { SMTPServer } from "smtp-server";
import type { SandboxConfig } from "../config.ts";
import { pages } from "./inbox-pages.ts";
import { openInbox, parseEmail } from "./inbox-store.ts";

declare module "fastify" {
  interface FastifyInstance {
    smtpUrl: string;
  }
}

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

/** The server acknowledges the message only after this promise resolves. */
type StoreMessage = (recipients: string[], message: Buffer) => Promise<void>;

const maxMessageBytes = 1024 * 1024;

/** Starts an SMTP server on a free loopback port, without TLS or authentication. */
async function startSmtpServer(storeMessage: StoreMessage) {
  const smtp = new SMTPServer({
    name: "sandbox",
    size: maxMessageBytes,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 1,
    onData(stream, { envelope }, done) {
      const recipients = envelope.rcptTo.map(({ address }) => address);
      // `buffer` rejects if the client disconnects before the end of the message.
      buffer(stream)
        .then((message) => (stream.sizeExceeded ? undefined : storeMessage(recipients, message)))
        .then(() => done(), done);
    },
  });
  // A client's broken connection must not end the process.
  smtp.on("error", () => {});
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const { port } = smtp.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, close: () => smtp.close() };
}
