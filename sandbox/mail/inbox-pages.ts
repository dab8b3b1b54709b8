import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type Html, html, page } from "../html.ts";
import type { Inbox, Mail } from "./inbox-store.ts";

const style = readFileSync(join(import.meta.dirname, "inbox.css"));

const pagePolicy = "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'";
// Emails may use inline styles and open links in new tabs, but can't run scripts or load anything.
const frameSandbox = "allow-popups allow-popups-to-escape-sandbox";
const mailPolicy = `sandbox ${frameSandbox}; default-src 'none'; style-src 'unsafe-inline'`;

const byId = z.object({ id: z.coerce.number().int().positive() });

/** Serves the inbox as pages, and as JSON at `/mail/messages`, which tests read. */
export function pages(app: FastifyInstance, inbox: Inbox): void {
  app.addHook("onRequest", async (_request, reply) => {
    reply.headers({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": pagePolicy,
    });
  });

  app.get("/", async (_request, reply) => reply.redirect("/mail"));
  app.get("/mail", async (_request, reply) => reply.type("text/html").send(listPage(inbox.list())));
  app.get("/mail/messages", async () => inbox.list());
  app.get("/mail/inbox.css", async (_request, reply) => reply.type("text/css").send(style));
  app.get("/mail/:id", async (request, reply) => {
    const mail = findMail(request.params);
    return reply
      .code(mail ? 200 : 404)
      .type("text/html")
      .send(mail ? mailPage(mail) : notFoundPage);
  });
  app.get("/mail/:id/html", async (request, reply) => {
    reply.header("content-security-policy", mailPolicy).type("text/html; charset=utf-8");
    return `<base target="_blank">${findMail(request.params)?.html ?? ""}`;
  });

  function findMail(params: unknown): Mail | undefined {
    const parsed = byId.safeParse(params);
    return parsed.success ? inbox.find(parsed.data.id) : undefined;
  }
}

function listPage(mails: Mail[]): string {
  const list = html`<ol>${mails.map(
    (mail) => html`<li>
      <a href="/mail/${mail.id}">${mail.subject || "(no subject)"}</a>
      <span>to ${mail.to.join(", ")}</span>
      ${time(mail)}
    </li>`,
  )}</ol>`;
  const none = html`<p>No email yet. Emails that Secondlap sends appear here.</p>`;
  return inboxPage(
    "Mail inbox (sandbox)",
    html`<h1>Mail inbox</h1>
    <p class="note">No email leaves this machine. Every email appears here, whoever it is addressed to.
      <a href="/mail">Look again</a> · <a href="/stripe/clock">The card provider’s clock</a></p>
    ${mails.length > 0 ? list : none}`,
  );
}

function mailPage(mail: Mail): string {
  return inboxPage(
    mail.subject,
    html`<p><a href="/mail">Back to the inbox</a></p>
    <h1>${mail.subject}</h1>
    <p class="note">From ${mail.from} to ${mail.to.join(", ")}, ${time(mail)}</p>
    <pre>${linkify(mail.text)}</pre>
    ${
      mail.html &&
      html`<h2>HTML version</h2>
      <iframe sandbox="${frameSandbox}" title="HTML version of the email" src="/mail/${mail.id}/html"></iframe>`
    }`,
  );
}

const notFoundPage = inboxPage(
  "Email not found",
  html`<h1>Email not found</h1><p><a href="/mail">Back to the inbox</a></p>`,
);

function inboxPage(title: string, body: Html): string {
  return page({ title, style: "/mail/inbox.css", body: html`<main>${body}</main>` });
}

function time({ receivedAt }: Mail): Html {
  const at = new Date(receivedAt).toISOString();
  return html`<time datetime="${at}">${at.slice(0, 19).replace("T", " ")} UTC</time>`;
}

function linkify(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 ? html`<a href="${part}" rel="noopener">${part}</a>` : html`${part}`,
    );
}
