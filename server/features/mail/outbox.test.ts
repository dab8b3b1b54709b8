import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { transact } from "../../db/database.ts";
import { enqueue } from "../../jobs.ts";
import { mailsTo, waitForMail } from "../../testing/inbox.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { writeLetter } from "./write-letter.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop({ sandbox: true, worker: true });
});
afterAll(() => shop.close());

function letterTo(to: string) {
  return writeLetter({
    to,
    subject: 'About "Zoë’s" <laptop>',
    paragraphs: ["<b>Ünusual</b> & long.", "That is all."],
    action: { label: "Look <here>", url: "https://example.com/?a=1&b=2" },
  });
}

test("a letter arrives as it was written, as text and as HTML with the text escaped", async () => {
  const letter = letterTo("ada@example.com");
  await transact(shop.deps.db, "test", (tx) => enqueue(tx, "sendMail", { payload: letter }));
  const { subject, text, html } = await waitForMail(shop, "ada@example.com");
  expect({ to: "ada@example.com", subject, text, html }).toEqual(letter);
  expect(text).toBe(
    "<b>Ünusual</b> & long.\n\nLook <here>:\nhttps://example.com/?a=1&b=2\n\nThat is all.\n\nSecondlap\n",
  );
  expect(html).toContain("&#60;b&#62;Ünusual&#60;/b&#62; &#38; long.");
  expect(html).toContain('href="https://example.com/?a=1&#38;b=2"');
});

test("nothing is sent for what was rolled back", async () => {
  const rolledBack = transact(shop.deps.db, "test", async (tx) => {
    await enqueue(tx, "sendMail", { payload: letterTo("never@example.com") });
    throw new Error("changed our mind");
  });
  await expect(rolledBack).rejects.toThrow("changed our mind");
  await transact(shop.deps.db, "test", (tx) =>
    enqueue(tx, "sendMail", { payload: letterTo("after@example.com") }),
  );
  await waitForMail(shop, "after@example.com");
  expect(await mailsTo(shop, "never@example.com")).toEqual([]);
});

test("a letter nobody takes stays, to be tried again", async () => {
  const lonely = await openShop({ worker: true });
  await transact(lonely.deps.db, "test", (tx) =>
    enqueue(tx, "sendMail", { payload: letterTo("ada@example.com") }),
  );
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select attempts, max_attempts, last_error is not null as failed from graphile_worker.jobs
        where task_identifier = 'sendMail'`.execute(lonely.deps.db);
      return rows;
    })
    .toEqual([{ attempts: 1, max_attempts: 25, failed: true }]);
  await lonely.close();
});
