import type { Transporter } from "nodemailer";
import {
  type ProviderTimeouts,
  providerTimeouts,
} from "../../settings/http-and-provider-timeouts.ts";
import { measureCall } from "../limit-calls.ts";
import { EmailRejected, type Mail } from "./port.ts";

type SmtpSettings = {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  url: string;
  /** The sender's address, or `Name <address>` to show a name other than the shop's. */
  from: string;
  inboxUrl: string | null;
  timeouts?: ProviderTimeouts["mail"];
};

const mailCalls = {
  service: "mail",
  isRefusal: (error: unknown) => error instanceof EmailRejected,
} as const;

/** Emails share one connection, which stays open between emails. */
export function smtpMail({
  url,
  from,
  inboxUrl,
  timeouts = providerTimeouts.mail,
}: SmtpSettings): Mail {
  let transport: Promise<Transporter> | undefined;

  async function connect(): Promise<Transporter> {
    const { createTransport } = await import("nodemailer");
    // Sends a password only over TLS, unless the URL contains `?requireTLS=false`.
    const requireTLS = new URL(url).password !== "";
    return createTransport({ url, pool: true, maxConnections: 1, requireTLS, ...timeouts });
  }

  return {
    inboxUrl,
    async send({ to, senderName, subject, text, html, unsubscribeUrl, calendar, requestId }) {
      transport ??= connect();
      const headers = {
        ...(unsubscribeUrl !== undefined && listUnsubscribe(unsubscribeUrl)),
        ...(requestId !== undefined && { "X-Request-ID": requestId }),
      };
      const attachments = calendar === undefined ? [] : [calendarAttachment(calendar)];
      const sender =
        senderName === undefined || from.includes("<") ? from : { name: senderName, address: from };
      const message = {
        from: sender,
        to: { name: "", address: to },
        subject,
        text,
        html,
        headers,
        attachments,
      };
      const opened = await transport;
      await measureCall(mailCalls, () => opened.sendMail(message).catch(rethrow));
    },
    async check() {
      transport ??= connect();
      await (await transport).verify();
    },
    async close() {
      (await transport)?.close();
    },
  };
}

/** Headers for the unsubscribe button of mail clients (RFC 2369, and RFC 8058 for one click). */
function listUnsubscribe(url: string): Record<string, string> {
  return { "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

/** Attaches a plain file, because an invitation would bypass the shop's own Accept button. */
function calendarAttachment(content: string) {
  const method = /^METHOD:(.*)$/m.exec(content)?.[1]?.trim() ?? "PUBLISH";
  const contentType = `text/calendar; charset=utf-8; method=${method}`;
  return { filename: "handover.ics", content, contentType };
}

type SmtpError = { code?: string; responseCode?: number; command?: string; response?: string };

/**
 * A 5xx reply to the recipient or message is final (RFC 5321, 4.2.1). A 5xx reply to the login or
 * sender is about our settings, so retries continue. Replies may name the recipient: don't log
 * them.
 */
function rethrow({ code, responseCode = 0, command, response = "" }: SmtpError): never {
  const isAboutEmail = command === "RCPT TO" || code === "EMESSAGE";
  if (isAboutEmail && responseCode >= 500) throw new EmailRejected(response);
  throw new Error(
    `The mail server did not accept an email (${responseCode || code || "no answer"}).`,
  );
}
