import { expect } from "vitest";
import { inviteFriend } from "#contract/invitations.ts";
import { signUpAt } from "../testing/browser.ts";
import { shopTest } from "../testing/fixtures.ts";
import { member } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { startTestSmtpServer } from "../testing/smtp-server.ts";
import { hasStoppedInvitations, stopInvitationsLink } from "./opt-outs.ts";
import { sendQueuedEmail } from "./send-email.ts";

const smtp = await startTestSmtpServer();
const env = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, CONFIRM_ADDRESSES: "optional" };
const test = shopTest({ worker: true, env });
test.afterAll(() => smtp.close());

const emailsTo = (to: string) => smtp.messages.filter((one) => one.includes(`\nTo: ${to}\r`));

async function invite(shop: Shop, email: string): Promise<void> {
  await (await member(shop)).call(inviteFriend, { body: { email } });
}

async function waitForEmails(to: string, count: number): Promise<string> {
  await expect.poll(() => emailsTo(to).length).toBe(count);
  // Long header lines are folded (RFC 5322, 2.2.3).
  return (emailsTo(to).at(-1) ?? "").replaceAll(/\r\n(?=[ \t])/g, "");
}

const tokenOf = (url: string) => new URL(url).searchParams.get("token") ?? "";

const optOuts = async (shop: Shop) => ({
  rows: (await shop.pool.query("select * from email_opt_outs")).rows,
  audit: (await shop.pool.query("select from audit_log where verb = 'unsubscribe'")).rowCount,
});

/** The one-click request that mail providers send, in either encoding (RFC 8058, 3.2). */
function oneClick(body: URLSearchParams | FormData) {
  body.set("List-Unsubscribe", "One-Click");
  return { method: "POST", body };
}

test("a one-click unsubscribe in the mail program stops invitations, but not the confirmation email", async ({
  shop,
}) => {
  const friend = "friend@example.com";
  await invite(shop, friend);
  const email = await waitForEmails(friend, 1);
  expect(email).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
  const url = /^List-Unsubscribe: <([^>\s]+)>\r$/m.exec(email)?.[1] ?? "";
  expect(new URL(url).origin).toBe(shop.url);
  expect(url).not.toMatch(/friend|example/);
  for (const body of [new URLSearchParams(), new FormData()])
    expect((await fetch(url, oneClick(body))).status).toBe(200);
  const { rows, audit } = await optOuts(shop);
  expect([rows.length, audit]).toEqual([1, 1]);
  expect(JSON.stringify(rows)).not.toContain("friend");

  await invite(shop, friend);
  await invite(shop, "other@example.com");
  await waitForEmails("other@example.com", 1);
  expect(emailsTo(friend)).toHaveLength(1);
  await signUpAt(shop.url, friend, "buyer");
  expect(await waitForEmails(friend, 2)).toContain("Subject: Confirm your email address");
  expect(emailsTo(friend).at(-1)).not.toContain("List-Unsubscribe");
});

test("opening an unsubscribe link without confirming doesn't unsubscribe", async ({ shop }) => {
  const url = await stopInvitationsLink(shop.deps, "scanned@example.com");
  await fetch(url);
  expect(await hasStoppedInvitations(shop.deps.db, "scanned@example.com")).toBe(false);
});

test("a forged unsubscribe link is rejected with 400 and changes nothing", async ({ shop }) => {
  const before = await optOuts(shop);
  const real = tokenOf(await stopInvitationsLink(shop.deps, "real@example.com"));
  const [hash = "", signature = ""] = real.split(".");
  const other = tokenOf(await stopInvitationsLink(shop.deps, "other@example.com"));
  for (const token of [
    "",
    "x",
    hash,
    `${hash}.`,
    `.${signature}`,
    `${other.split(".")[0]}.${signature}`,
  ]) {
    const url = `${shop.url}/unsubscribe?${new URLSearchParams({ token })}`;
    const refused = await fetch(url, { method: "POST" });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      message: "This link is incomplete. Open the full link from the email.",
    });
  }
  expect(await optOuts(shop)).toEqual(before);
});

test("unsubscribe links and opt-outs stay valid after SECRET changes", async ({ shop }) => {
  const [before, after] = ["before@example.com", "after@example.com"];
  const [done, sent] = [
    await stopInvitationsLink(shop.deps, before),
    await stopInvitationsLink(shop.deps, after),
  ];
  await fetch(done, { method: "POST" });
  const moved = await openShop({
    beside: shop,
    env: { SECRET: "another secret, as long as it must be" },
  });
  await fetch(`${moved.url}${sent.slice(shop.url.length)}`, { method: "POST" });
  const optedOut = await Promise.all(
    [before, after].map((one) => hasStoppedInvitations(moved.deps.db, one)),
  );
  await moved.close();
  expect(optedOut).toEqual([true, true]);
});

test("an invitation that was queued before the recipient unsubscribed is not sent", async ({
  shop,
}) => {
  const to = "quick@example.com";
  const url = await stopInvitationsLink(shop.deps, to);
  const queued = { to, subject: "You're invited", text: "Hello", html: "", unsubscribeUrl: url };
  await sendQueuedEmail(shop.deps, queued);
  await fetch(url, { method: "POST" });
  await sendQueuedEmail(shop.deps, queued);
  expect(emailsTo(to)).toHaveLength(1);
});
