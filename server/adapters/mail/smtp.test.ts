import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../sandbox-process.ts";
import { smtpMail } from "./smtp.ts";
import { testMail } from "./suite.ts";

let sandbox: Sandbox;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-mail-"));
  const webhookUrl = "http://127.0.0.1:9";
  sandbox = await startSandbox({ host: "127.0.0.1", port: 0, dataDir, webhookUrl, origins: [] });
});
afterAll(async () => {
  await sandbox.stop();
  await rm(dataDir, { recursive: true });
});

type Received = { to: string[]; from: string; subject: string; text: string; html: string };

async function inbox(address: string): Promise<Received[]> {
  const response = await fetch(`${sandbox.url}/mail/messages`);
  return ((await response.json()) as Received[]).filter(({ to }) => to.includes(address));
}

const from = "Secondlap <no-reply@example.com>";
const mailAt = (url: string) => smtpMail({ url, from, inboxUrl: null });

describe("mail over SMTP", () => {
  testMail(() => ({
    mail: mailAt(sandbox.smtpUrl),
    inbox,
    unreachable: mailAt("smtp://127.0.0.1:9"),
  }));

  test("is sent by the configured sender", async () => {
    const email = {
      to: "grace@example.com",
      subject: "Hello",
      text: "Hello",
      html: "<p>Hello</p>",
    };
    await mailAt(sandbox.smtpUrl).send(email);
    const [received] = await inbox("grace@example.com");
    expect(received?.from).toContain("no-reply@example.com");
  });
});
