import { expect } from "@playwright/test";
import { readConfig } from "#contract/config.ts";
import { hold, sell } from "./members.ts";
import { test } from "./person.ts";

test("whoever holds a laptop, and whose it is, reads of it in the demo inbox; nobody of the demo's past", async ({
  request,
  buyer,
  seller,
}) => {
  const laptop = await sell(seller);
  await hold(buyer, laptop);
  const { mailInboxUrl } = await buyer.call(readConfig, {});
  const receivers = async () => {
    const answer = await request.get(`${mailInboxUrl}/messages`);
    const mails: { to: string[]; subject: string; text: string }[] = await answer.json();
    const ofDeals = mails.filter(({ text }) => /\n\nWritten /.test(text));
    const about = ofDeals.filter(({ text }) => text.includes(laptop.product_name));
    return { about: about.flatMap(({ to }) => to).sort(), all: ofDeals.flatMap(({ to }) => to) };
  };
  await expect
    .poll(async () => (await receivers()).about)
    .toEqual([buyer.email, seller.email].sort());
  // Everybody of the demo's past is at this domain, and no test deals for them.
  const { all } = await receivers();
  expect(all.filter((to) => to.endsWith("@demo.test"))).toEqual([]);
});
