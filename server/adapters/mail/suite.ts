import { expect, test } from "vitest";
import type { Email, Mail } from "./port.ts";

export type MailUnderTest = {
  mail: Mail;
  /** Newest first. */
  inbox(address: string): Promise<Omit<Email, "to">[]>;
  unreachable: Mail;
};

const email = {
  subject: "Your hold on “ThinkPad” has ended 💻",
  text: "Hello,\n\n.a line that starts with a dot, and one with ünïcödé\n",
  html: `<p>Hello, <b>you</b> &amp; me: ${"long ".repeat(400)}</p>`,
};

export function testMail(get: () => MailUnderTest): void {
  test("an email reaches only its recipient, with subject, text and HTML unchanged", async () => {
    const { mail, inbox } = get();
    await mail.send({ ...email, to: "ada@example.com" });
    const [received, ...others] = await inbox("ada@example.com");
    expect(received?.subject).toBe(email.subject);
    expect(received?.text.trim()).toBe(email.text.trim());
    expect(received?.html.trim()).toBe(email.html);
    expect([others, await inbox("grace@example.com")]).toEqual([[], []]);
  });

  test("a recipient is never treated as a list of recipients", async () => {
    const { mail, inbox } = get();
    const to = "eve@example.com, bob@example.com";
    await mail.send({ ...email, to }).catch(() => {});
    expect(await inbox("bob@example.com")).toEqual([]);
  });

  test("sending to an unreachable mail server throws an error without the recipient's address", async () => {
    const { unreachable } = get();
    const sent = unreachable.send({ ...email, to: "ada@example.com" });
    await expect(sent).rejects.toThrow(/did not accept an email/);
    await expect(sent).rejects.not.toThrow(/ada/);
  });
}
