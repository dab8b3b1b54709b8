import type { Transporter } from "nodemailer";
import type { Mail } from "./port.ts";

export type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  url: string;
  /** The sender, such as `Secondlap <no-reply@example.com>`. */
  from: string;
  inboxUrl: string | null;
};

/** Sends mail over SMTP, with one connection per email. */
export function smtpMail({ url, from, inboxUrl }: SmtpSettings): Mail {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  let transport: Promise<Transporter> | undefined;
  return {
    inboxUrl,
    async send({ to, subject, text, html }) {
      const message = { to: { name: "", address: to }, subject, text, html };
      // Loaded at the first email, not at the start.
      transport ??= import("nodemailer").then(({ createTransport }) =>
        createTransport({ url, ...timeouts }, { from }),
      );
      await (await transport).sendMail(message).catch(throwWithoutAddress);
    },
  };
}

/** The server's reply names the recipient, which must not be logged. */
function throwWithoutAddress({ code, responseCode }: { code?: string; responseCode?: number }) {
  throw new Error(
    `The mail server did not accept an email (${responseCode ?? code ?? "no answer"}).`,
  );
}
