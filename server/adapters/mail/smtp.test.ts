import type { SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../../testing/inbox.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { startTestSmtpServer, type TestSmtpServer } from "../../testing/smtp-server.ts";
import { EmailRejected, type Mail } from "./port.ts";
import { smtpMail } from "./smtp.ts";

let shop: Shop;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  shop = await openShop({ sandbox: true });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => shop.close());

const from = "Secondlap <no-reply@example.com>";

function mailAt(url: string): Mail {
  const mail = smtpMail({ url, from, inboxUrl: null });
  closing.push(() => mail.close());
  return mail;
}

async function startServer(options?: SMTPServerOptions): Promise<TestSmtpServer> {
  const server = await startTestSmtpServer(options);
  closing.push(() => server.close());
  return server;
}

const emailAbout = (subject: string) => ({
  to: "grace@example.com",
  subject,
  text: "Hello",
  html: "<p>Hello</p>",
});

describe("mail over SMTP", () => {
  const sandboxMail = () => mailAt(shop.sandbox?.smtpUrl ?? "");

  test("an email reaches only its recipient, with subject, text and HTML unchanged", async () => {
    const email = {
      subject: "Your hold on “ThinkPad” has ended 💻",
      text: "Hello,\n\n.a line that starts with a dot, and one with ünïcödé\n",
      html: `<p>Hello, <b>you</b> &amp; me: ${"long ".repeat(400)}</p>`,
    };
    await sandboxMail().send({ ...email, to: "ada@example.com" });
    const [received, ...others] = await mailsTo(shop, "ada@example.com");
    expect(received?.subject).toBe(email.subject);
    expect(received?.text.trim()).toBe(email.text.trim());
    expect(received?.html.trim()).toBe(email.html);
    expect([others, await mailsTo(shop, "grace@example.com")]).toEqual([[], []]);
  });

  test("a recipient is never treated as a list of recipients", async () => {
    const to = "eve@example.com, bob@example.com";
    const sent = sandboxMail().send({ ...emailAbout("Hello"), to });
    await sent.catch(() => {});
    expect(await mailsTo(shop, "bob@example.com")).toEqual([]);
  });

  test("sending to an unreachable mail server throws an error without the recipient's address", async () => {
    const sent = mailAt("smtp://127.0.0.1:9").send(emailAbout("Hello"));
    await expect(sent).rejects.toThrow(/did not accept an email/);
    await expect(sent).rejects.not.toThrow(/grace/);
  });

  test("a calendar file is attached to the email with its iCalendar method", async () => {
    const server = await startServer();
    const calendar = "BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n";
    await mailAt(`smtp://127.0.0.1:${server.port}`).send({ ...emailAbout("Hello"), calendar });
    const [raw = ""] = server.messages;
    expect(raw).toMatch(/content-type: text\/calendar; charset=utf-8; method=CANCEL/i);
    expect(raw).toContain("filename=handover.ics");
    const encoded = raw.includes(calendar.trim()) || raw.includes(btoa(calendar));
    expect(encoded).toBe(true);
  });

  test("emails are sent from the configured address", async () => {
    await sandboxMail().send(emailAbout("Hello"));
    const [received] = await mailsTo(shop, "grace@example.com");
    expect(received?.from).toContain("no-reply@example.com");
  });

  test("emails share one connection until the server closes it, and the next email opens a new one", async () => {
    const server = await startServer();
    const mail = mailAt(`smtp://127.0.0.1:${server.port}`);
    await mail.send(emailAbout("one"));
    await mail.send(emailAbout("two"));
    expect(server.connections).toBe(1);
    server.disconnectClients();
    await mail.send(emailAbout("three"));
    expect(server.accepted).toEqual(["one", "two", "three"]);
    expect(server.connections).toBe(2);
  });

  test("the login to the mail server happens only after STARTTLS", async () => {
    const server = await startServer({ authOptional: false, hideSTARTTLS: false });
    const trusting = `?tls.rejectUnauthorized=false`;
    await mailAt(`smtp://shop:secret@127.0.0.1:${server.port}/${trusting}`).send(emailAbout("one"));
    expect(server.logins).toEqual([{ username: "shop", secure: true }]);
    expect(server.accepted).toEqual(["one"]);
  });

  test.each([
    ["that offers no TLS", { disabledCommands: ["STARTTLS"] }],
    ["whose certificate is not trusted", { hideSTARTTLS: false }],
  ])("no password is sent to a mail server %s", async (_, options) => {
    const server = await startServer({ allowInsecureAuth: true, ...options });
    const sent = mailAt(`smtp://shop:secret@127.0.0.1:${server.port}`).send(emailAbout("one"));
    await expect(sent).rejects.toThrow(/did not accept an email/);
    expect([server.logins, server.accepted]).toEqual([[], []]);
  });

  test("an email can be retried after a rejected login or a 4xx reply, but not after a 5xx reply to the recipient", async () => {
    const server = await startServer({ allowInsecureAuth: true });
    const address = `127.0.0.1:${server.port}`;
    const wrong = mailAt(`smtp://shop:wrong@${address}/?requireTLS=false`);
    await expect(wrong.send(emailAbout("one"))).rejects.toThrow(/did not accept an email \(535\)/);
    const mail = mailAt(`smtp://${address}`);
    server.refusal = { responseCode: 451, message: "Greylisted <grace@example.com>" };
    await expect(mail.send(emailAbout("one"))).rejects.toThrow(/did not accept an email \(451\)/);
    server.refusal = { responseCode: 550, message: "No such user" };
    const rejected = await mail.send(emailAbout("one")).catch((error) => error);
    expect(rejected).toBeInstanceOf(EmailRejected);
    expect(rejected.reply).toContain("550 No such user");
    server.refusal = undefined;
    await mail.send(emailAbout("two"));
    expect(server.accepted).toEqual(["two"]);
  });
});
