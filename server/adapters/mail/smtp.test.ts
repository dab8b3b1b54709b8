import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../../testing/inbox.ts";
import { startTestSmtpServer, type TestSmtpServer } from "../../testing/smtp-server.ts";
import { type Sandbox, startSandbox } from "../sandbox-process.ts";
import { EmailRejected, type Mail } from "./port.ts";
import { smtpMail } from "./smtp.ts";
import { testMail } from "./suite.ts";

let sandbox: Sandbox;
let dataDir: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-mail-"));
  const webhookUrl = "http://127.0.0.1:9";
  sandbox = await startSandbox({ host: "127.0.0.1", port: 0, dataDir, webhookUrl, origins: [] });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await sandbox.stop();
  await rm(dataDir, { recursive: true });
});

const inbox = (address: string) => mailsTo({ sandbox }, address);

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
  testMail(() => ({
    mail: mailAt(sandbox.smtpUrl),
    inbox,
    unreachable: mailAt("smtp://127.0.0.1:9"),
  }));

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
    await mailAt(sandbox.smtpUrl).send(emailAbout("Hello"));
    const [received] = await inbox("grace@example.com");
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
