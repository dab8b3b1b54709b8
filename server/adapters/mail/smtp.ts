import { createTransport } from "nodemailer";
import type { Mail } from "./port.ts";

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string;
  /** The sender, such as `Secondlap <no-reply@example.com>`. */
  from: string;
  inboxUrl: string | null;
};

/** Mail over SMTP, one connection a letter. */
export function smtpMail({ url, from, inboxUrl }: SmtpSettings): Mail {
  const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  const transport = createTransport({ url, ...patience }, { from });
  return {
    inboxUrl,
    async send({ to, subject, text, html }) {
      const letter = { to: { name: "", address: to }, subject, text, html };
      await transport.sendMail(letter).catch(refusedWithoutAddress);
    },
  };
}

/** What a mail server says of a letter names its receiver, which no log is to hear. */
function refusedWithoutAddress({ code, responseCode }: { code?: string; responseCode?: number }) {
  throw new Error(
    `The mail server did not take a letter (${responseCode ?? code ?? "no answer"}).`,
  );
}
