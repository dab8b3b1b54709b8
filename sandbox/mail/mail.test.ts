import { createConnection } from "node:net";
import { text } from "node:stream/consumers";
import { expect as see } from "@playwright/test";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#sandbox/testing/browser.ts";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";
import type { Mail } from "./inbox.ts";

const dataDir = await temporaryDataDir();
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox(dataDir.path);
});

afterAll(async () => {
  await sandbox.end("SIGTERM");
  await dataDir.remove();
});

const letter = {
  from: '"Zoë at Secondlap" <no-reply@example.com>',
  to: "ada@example.com",
  subject:
    "Réinitialiser: a subject that is long enough to be folded over lines, with ünï-cödé words",
  text: "Hello Zoë,\n\n.a line that begins with a dot\n..and one with two = signs=\n\nhttps://example.com/reset?token=abc&x=1\n",
  html: `<p>Hello Zoë,</p><p><a href="https://example.com/reset?token=abc&amp;x=1">${"long ".repeat(40)}</a></p>`,
};

async function post(changes: object = {}) {
  return await createTransport(sandbox.smtpUrl).sendMail({ ...letter, ...changes });
}

async function messages(): Promise<Mail[]> {
  return (await (await fetch(`${sandbox.url}/mail/messages`)).json()) as Mail[];
}

async function read(path: string) {
  const response = await fetch(`${sandbox.url}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("the inbox", () => {
  test("keeps a mail as it was written, whatever it travelled as", async () => {
    await post();
    const [kept] = await messages();
    const { subject, text, html } = letter;
    const from = "Zoë at Secondlap <no-reply@example.com>";
    expect(kept).toMatchObject({ from, subject, text, html, to: ["ada@example.com"] });
  });

  test.each(["7bit", "base64", "quoted-printable"] as const)(
    "reads a text without HTML, encoded as %s",
    async (encoding) => {
      const written = encoding === "7bit" ? "Plain, and short.\n" : "Größe: 14″ = good.\n";
      await post({ text: written, html: undefined, encoding });
      expect((await messages())[0]).toMatchObject({ text: written, html: "" });
    },
  );

  test("shows the newest first, and each with links to follow and nothing that runs", async () => {
    await post({ subject: "older" });
    await post({ subject: "<script>alert(1)</script>", html: "<script>alert(2)</script>" });
    const list = await read("/mail");
    expect(list.text.indexOf("&#60;script&#62;")).toBeLessThan(list.text.indexOf("older"));
    expect(list.text).not.toContain("<script");

    const [newest] = await messages();
    const mail = await read(`/mail/${newest?.id}`);
    const address = "https://example.com/reset?token=abc&#38;x=1";
    expect(mail.text).toContain(`<a href="${address}" rel="noopener">${address}</a>`);
    expect(mail.text).not.toContain("<script");
    expect(mail.headers.get("content-security-policy")).toContain("default-src 'none'");
    const asHtml = await read(`/mail/${newest?.id}/html`);
    expect(asHtml.headers.get("content-security-policy")).toMatch(
      /^sandbox [a-z -]+; default-src 'none'/,
    );
  });

  test("in a browser, a mail's links lead to pages of their own, and its scripts do not run", async () => {
    const link = `<a href="${sandbox.url}/mail">Follow me</a>`;
    await post({ html: `${link}<script>document.body.append("it ran")</script>` });
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(`${sandbox.url}/mail`);
    await page.getByRole("link", { name: letter.subject }).first().click();
    const mail = page.frameLocator("iframe");
    const opened = page.waitForEvent("popup");
    await mail.getByText("Follow me").click();
    await see((await opened).getByRole("heading", { name: "Mail inbox" })).toBeVisible();
    await see(mail.getByText("it ran")).toHaveCount(0);
    await browser.close();
  });

  test("a mail that is not there is a page that says so", async () => {
    expect(await read("/mail/999999")).toMatchObject({ status: 404 });
    expect(await read("/mail/nonsense")).toMatchObject({ status: 404 });
  });

  test("killed, it has every mail it answered for", async () => {
    const own = await temporaryDataDir();
    const first = await startSandbox(own.path);
    await createTransport(first.smtpUrl).sendMail(letter);
    await first.end("SIGKILL");
    const second = await startSandbox(own.path);
    const kept = (await (await fetch(`${second.url}/mail/messages`)).json()) as Mail[];
    expect(kept.map(({ subject }) => subject)).toEqual([letter.subject]);
    await second.end("SIGTERM");
    await own.remove();
  });
});

describe("over SMTP", () => {
  /** Says all of it at once, and answers what was said back until the line was closed. */
  async function say(...lines: string[]): Promise<string[]> {
    const { hostname, port } = new URL(sandbox.smtpUrl);
    const socket = createConnection(Number(port), hostname);
    socket.end(lines.map((line) => `${line}\r\n`).join(""));
    return (await text(socket)).split("\r\n").map((answer) => answer.slice(0, 3));
  }

  test("what comes in no order is refused, and nothing is kept", async () => {
    const before = await messages();
    const refused = ["RCPT TO:<a@example.com>", "DATA", "MAIL TO:a", "STARTTLS", "nonsense"];
    expect(await say("HELO x", ...refused, "QUIT")).toEqual([
      "220",
      "250",
      "503",
      "503",
      "501",
      "502",
      "502",
      "221",
      "",
    ]);
    expect(await messages()).toEqual(before);
  });

  test("a message that breaks off, or is too much, is not kept", async () => {
    const before = await messages();
    const start = ["EHLO x", "MAIL FROM:<a@example.com>", "RCPT TO:<b@example.com>", "DATA"];
    await say(...start, "Subject: half").catch(() => {});
    const much = Array.from({ length: 1_100 }, () => "x".repeat(1_000));
    expect(await say(...start, ...much, ".", "QUIT")).toContain("552");
    expect(await messages()).toEqual(before);
  });
});
