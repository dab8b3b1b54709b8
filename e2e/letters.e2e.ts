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
    const mails: { to: string[]; subject: string }[] = await (
      await request.get(`${mailInboxUrl}/messages`)
    ).json();
    const about = mails.filter(({ subject }) => subject.includes(laptop.product_name));
    return { about: about.flatMap(({ to }) => to).sort(), all: mails.flatMap(({ to }) => to) };
  };
  await expect
    .poll(async () => (await receivers()).about)
    .toEqual([buyer.email, seller.email].sort());
  // She bought and let go of laptops in the demo's past, and no test acts for her.
  expect((await receivers()).all).not.toContain("aisha@demo.test");
});
