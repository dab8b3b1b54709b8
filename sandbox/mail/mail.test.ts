import { once } from "node:events";
import { createConnection } from "node:net";
import { text } from "node:stream/consumers";
import { createTransport } from "nodemailer";
import { describe, expect, test } from "vitest";
import { openBrowser, see } from "#sandbox/testing/browser.ts";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";
import type { Mail } from "./inbox-store.ts";

const sandbox = await sandboxForFile();

const email = {
  from: '"Zoë at Secondlap" <no-reply@example.com>',
  to: "ada@example.com",
  subject:
    "Réinitialiser: a subject that is long enough to be folded over lines, with ünï-cödé words",
  text: "Hello Zoë,\n\n.a line that begins with a dot\n..and one with two = signs=\n\nhttps://example.com/reset?token=abc&x=1\n",
  html: `<p>Hello Zoë,</p><p><a href="https://example.com/reset?token=abc&amp;x=1">${"long ".repeat(40)}</a></p>`,
};

async function post(changes: object = {}) {
  return await createTransport(sandbox.smtpUrl).sendMail({ ...email, ...changes });
}

async function messages(): Promise<Mail[]> {
  return (await (await fetch(`${sandbox.url}/mail/messages`)).json()) as Mail[];
}

async function read(path: string) {
  const response = await fetch(`${sandbox.url}${path}`);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("the inbox", () => {
  test("the inbox stores the decoded subject, sender, text and HTML of an email, and its last line break", async () => {
    await post();
    const { subject, text, html } = email;
    const from = "Zoë at Secondlap <no-reply@example.com>";
    const [stored] = await messages();
    expect(stored).toMatchObject({ from, subject, text, html, to: ["ada@example.com"] });
    const written = "Größe: 14″ = good.\n";
    await post({ text: written, html: undefined });
    expect((await messages())[0]).toMatchObject({ text: written, html: "" });
  });

  test("the inbox lists emails newest first, with escaped text, clickable links and a strict CSP", async () => {
    await post({ subject: "older" });
    await post({ subject: "<script>alert(1)</script>", html: "<script>alert(2)</script>" });
    const list = await read("/mail");
    expect((await read("/")).text).toBe(list.text);
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
    for (const unknown of ["/mail/999999", "/mail/nonsense"])
      expect((await read(unknown)).status).toBe(404);
  });

  test("the inbox blocks scripts in an email, and opens the email's links in a new tab", async () => {
    const clock = `${sandbox.url}/stripe/clock`;
    const readHours = async () => {
      const shown = /datetime="([^"]+)"/.exec((await read("/stripe/clock")).text)?.[1] ?? "";
      return (Date.parse(shown) - Date.now()) / 3_600_000;
    };
    const headers = { origin: "https://example.com" };
    const fromOtherSite = { method: "POST", headers, body: new URLSearchParams() };
    expect((await fetch(clock, fromOtherSite)).status).toBe(403);
    expect(await readHours()).toBeCloseTo(0, 1);

    const link = `<a href="${sandbox.url}/mail">Follow me</a>`;
    await post({ html: `${link}<script>document.body.append("it ran")</script>` });
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(`${sandbox.url}/mail`);
    await page.getByRole("link", { name: email.subject }).first().click();
    const mail = page.frameLocator("iframe");
    const opening = page.waitForEvent("popup");
    await mail.getByText("Follow me").click();
    const opened = await opening;
    await see(mail.getByText("it ran")).toHaveCount(0);
    await opened.getByRole("link", { name: "The card provider’s clock" }).click();
    await see(opened.locator(":root")).toHaveCSS("color-scheme", "light dark");
    await opened.getByRole("button", { name: "Move it a day on" }).click();
    await expect.poll(readHours).toBeCloseTo(24, 1);
    await browser.close();
  });
});

describe("the SMTP server", () => {
  async function connect() {
    const { hostname, port } = new URL(sandbox.smtpUrl);
    const socket = createConnection(Number(port), hostname);
    await once(socket, "readable");
    return socket;
  }

  const toWire = (lines: string[]) => lines.map((line) => `${line}\r\n`).join("");

  /** Sends all lines together. Returns each reply's code until the server disconnects. */
  async function send(...lines: string[]): Promise<string[]> {
    const socket = await connect();
    socket.write(toWire(lines));
    return (await text(socket)).split("\r\n").map((reply) => reply.slice(0, 3));
  }

  const start = ["EHLO x", "MAIL FROM:<a@example.com>", "RCPT TO:<b@example.com>", "DATA"];

  test("the SMTP server does not store a message if the client disconnects before the message ends", async () => {
    const before = await messages();
    const socket = await connect();
    let replies = "";
    socket.setEncoding("latin1").on("data", (data: string) => {
      replies += data;
    });
    socket.write(toWire(start));
    await expect.poll(() => replies).toContain("354 ");
    socket.end("Subject: half\r\n\r\nthe first lin");
    await once(socket, "close");
    await post({ subject: "complete" });
    expect((await messages()).slice(1)).toEqual(before);
  });

  test("the SMTP server rejects a message above 1 MB with 552 and does not store it", async () => {
    const before = await messages();
    const big = Array.from({ length: 1_100 }, () => "x".repeat(1_000));
    expect(await send(...start, ...big, ".", "QUIT")).toContain("552");
    expect(await messages()).toEqual(before);
  });
});
