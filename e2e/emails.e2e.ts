/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { defaultSettings } from "#contract/shop-settings.ts";
import { renderEmail } from "#server/email/email-layout.ts";
import { bookLaptop, listLaptop } from "./accounts.ts";
import { expectAccessible } from "./axe.ts";
import { test } from "./fixtures.ts";
import { confirmAddresses, readInbox } from "./mails.ts";

test("§10.1: a hold emails the buyer and the seller at confirmed addresses; demo members get no email", async ({
  buyer,
  newSeller: seller,
}) => {
  await confirmAddresses([buyer, seller]);
  const laptop = await listLaptop(seller);
  await bookLaptop(buyer, laptop);
  const receivers = async () => {
    const mails = await readInbox(buyer);
    const ofDeals = mails.filter(({ text }) => text.includes("\n\nListing: “"));
    const about = ofDeals.filter(({ text }) => text.includes(laptop.product_name));
    return { about: about.flatMap(({ to }) => to).sort(), all: ofDeals.flatMap(({ to }) => to) };
  };
  await expect
    .poll(async () => (await receivers()).about)
    .toEqual([buyer.email, seller.email].sort());
  // No test books a laptop as a demo member, so only demo data could email demo members.
  const { all } = await receivers();
  expect(all.filter((to) => to.endsWith("@demo.test"))).toEqual([]);
});

test("an email is readable at 320 px in both themes", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { html } = renderEmail(
    {
      to: "ada@example.com",
      subject: "Your hold on a Dell laptop",
      paragraphs: [`Listing: “${"x".repeat(120)}”`, "Changed your mind? Cancel the hold."],
      action: { label: "View My Orders", url: "https://example.com/dashboard" },
      unsubscribeUrl: "https://example.com/unsubscribe",
    },
    defaultSettings,
  );
  await page.setContent(html);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
  await expect(page.getByRole("link", { name: "View My Orders" })).toBeInViewport();
  await expectAccessible(page);
});
