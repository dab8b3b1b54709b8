import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { listAuditLog } from "#contract/audit.ts";
import { defaultSettings } from "#contract/shop-settings.ts";
import { CurrentShop } from "../current-shop.ts";
import { transact } from "../db/database.ts";
import { enqueue } from "../jobs/job-queue.ts";
import { shopTest } from "../testing/fixtures.ts";
import { mailsTo, waitForMail } from "../testing/inbox.ts";
import { member } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import { startTestSmtpServer } from "../testing/smtp-server.ts";
import type { EmailContent, EmailKind } from "./email.ts";
import { renderEmail } from "./email-layout.ts";
import { createEmailQueue } from "./queue-email.ts";

const test = shopTest({ sandbox: true, worker: true });

const contentFor = (to: string): EmailContent => ({
  to,
  subject: 'About "Zoë’s" <laptop>',
  paragraphs: ["<b>Ünusual</b> & long.", "That is all."],
  action: { label: "Look <here>", url: "https://example.com/?a=1&b=2" },
});
const emailTo = (to: string) => renderEmail(contentFor(to), defaultSettings);

test("an email arrives as plain text and as HTML, and the HTML escapes the text", async ({
  shop,
}) => {
  const email = emailTo("ada@example.com");
  await transact(shop.deps.db, "test", (tx) => enqueue(tx, "sendMail", { payload: email }));
  const { subject, text, html } = await waitForMail(shop, "ada@example.com");
  expect({ to: "ada@example.com", senderName: "Secondlap", subject, text, html }).toEqual(email);
  expect(text).toBe(
    "<b>Ünusual</b> & long.\n\nLook <here>:\nhttps://example.com/?a=1&b=2\n\nThat is all.\n\nSecondlap\n",
  );
  expect(html).toContain("&#60;b&#62;Ünusual&#60;/b&#62; &#38; long.");
  expect(html).toContain('href="https://example.com/?a=1&#38;b=2"');
});

test("a transaction that rolls back sends no email", async ({ shop }) => {
  const rolledBack = transact(shop.deps.db, "test", async (tx) => {
    await enqueue(tx, "sendMail", { payload: emailTo("never@example.com") });
    throw new Error("changed our mind");
  });
  await expect(rolledBack).rejects.toThrow("changed our mind");
  await transact(shop.deps.db, "test", (tx) =>
    enqueue(tx, "sendMail", { payload: emailTo("after@example.com") }),
  );
  await waitForMail(shop, "after@example.com");
  expect(await mailsTo(shop, "never@example.com")).toEqual([]);
});

test("an email stays queued for a retry if the mail server can't be reached", async () => {
  const lonely = await openShop({ worker: true });
  await transact(lonely.deps.db, "test", (tx) =>
    enqueue(tx, "sendMail", { payload: emailTo("ada@example.com") }),
  );
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select attempts > 0 as tried, max_attempts, last_error is not null as failed
        from graphile_worker.jobs
        where task_identifier = 'sendMail'`.execute(lonely.deps.db);
      return rows;
    })
    .toEqual([{ tried: true, max_attempts: 25, failed: true }]);
  await lonely.close();
});

test("an email that the mail server rejects is dropped, and the audit log shows the reason", async () => {
  const server = await startTestSmtpServer();
  server.refusal = { responseCode: 550, message: "No such user <ada@example.com>" };
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, CONFIRM_ADDRESSES: "optional" };
  const shop = await openShop({ worker: true, env });
  const [admin, someone] = [await member(shop, { isAdmin: true }), await member(shop)];
  const { subject, ...email } = emailTo(someone.email);
  await transact(shop.deps.db, "test", (tx) =>
    enqueue(tx, "sendMail", { payload: { ...email, subject: "Your hold" } }),
  );
  const entries = () => admin.call(listAuditLog, { query: { email: someone.email } });
  await expect.poll(entries).toMatchObject([
    {
      verb: "reject email",
      actor: null,
      object: "member",
      objectId: someone.id,
      detail: { subject: "Your hold", reason: "550 No such user <[address]>" },
    },
  ]);
  server.refusal = undefined;
  await transact(shop.deps.db, "test", (tx) =>
    enqueue(tx, "sendMail", { payload: { ...email, subject: "Your laptop" } }),
  );
  await expect.poll(() => server.accepted).toEqual(["Your laptop"]);
  await shop.close();
  await server.close();
});

describe("the email limit per recipient", () => {
  let limited: Shop;
  const warned: unknown[] = [];
  beforeAll(async () => {
    limited = await openShop();
  });
  afterAll(() => limited.close());

  /** Returns how many emails were queued. */
  async function queue(kind: EmailKind, to: string, times: number): Promise<number> {
    const { db, clock } = limited.deps;
    const warn = (what: unknown) => void warned.push(what);
    const emails = createEmailQueue({ clock, shop: new CurrentShop(), rateLimit: true, warn });
    let queued = 0;
    for (let time = 0; time < times; time += 1)
      if (await transact(db, "test", (tx) => emails.add(tx, { kind, ...contentFor(to) })))
        queued += 1;
    return queued;
  }

  test("a member gets at most 20 hold emails and 50 hold or payment emails a day, and account links have separate limits", async () => {
    const { email } = await member(limited);
    expect(await queue("hold", email, 25)).toBe(20);
    expect(await queue("payment", email, 40)).toBe(30);
    expect(await queue("reset", email, 9)).toBe(5);
    expect(await queue("confirmation", email, 9)).toBe(5);
    expect(warned).toHaveLength(5 + 10 + 4 + 4);
    expect(JSON.stringify(warned)).not.toContain(email);
    limited.clock.advance(6 * 60);
    expect(await queue("reset", email, 9)).toBe(5);
    limited.clock.advance(18 * 60);
    expect(await queue("hold", email, 1)).toBe(1);
  });

  test("unconfirmed members get only confirmation and reset links, and non-members also get invitations", async () => {
    const { email } = await member(limited, { confirmed: false });
    const kinds: EmailKind[] = ["hold", "payment", "invitation", "reset", "confirmation"];
    const queued = async (to: string) => await Promise.all(kinds.map((kind) => queue(kind, to, 1)));
    expect(await queued(email)).toEqual([0, 0, 0, 1, 1]);
    expect(await queued("stranger@example.com")).toEqual([0, 0, 1, 1, 1]);
  });
});
