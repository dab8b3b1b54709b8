/// <reference lib="dom" />
import { expect } from "@playwright/test";
import { updateProfile } from "#contract/members.ts";
import { paths } from "#web/paths.ts";
import { listLaptop } from "./accounts.ts";
import { cardOf, test } from "./fixtures.ts";

const long = {
  product_name: "ASUS ROG Zephyrus G16 (2024), Ultra 9, RTX 4080, 32 GB, 1 TB",
  condition: "Fair" as "Good",
  resale_price: 1890,
  original_price: 12_699,
  use_duration: 64,
  location: "Colorado Springs, CO",
  description: "The battery lasts eight hours, and every key works. ".repeat(9),
};

/** The name and the location have nearly the maximum length. */
const longest = {
  product_name:
    `${"Precision Mobile Workstation Extended ".repeat(2)}, ${"64 GB DDR5 memory, ".repeat(9)}`
      .slice(0, 119)
      .replace(/[ ,]*$/, ""),
  condition: "Fair" as "Good",
  resale_price: 98_890,
  original_price: 99_699,
  use_duration: 264,
  location: `Saint-Remy-en-Bouzemont-Saint-Genest-et-Isson, ${"Grand Est, ".repeat(7)}`.slice(
    0,
    119,
  ),
  description: "The battery lasts eight hours, and every key works. ".repeat(70),
};

test("product cards with long texts are at most 640 px tall at each tested width, and show their facts", async ({
  buyerPage: page,
  newSeller,
}) => {
  const name = "Wolfeschlegelsteinhausen ".repeat(3).trim();
  await newSeller.call(updateProfile, { body: { name } });
  const laptop = await listLaptop(newSeller, long);
  await listLaptop(newSeller, longest);
  await page.goto(paths.categoryProducts(laptop.category));
  const card = cardOf(page, laptop).filter({ hasText: name }).first();
  const longestCard = page.getByRole("article").filter({ hasText: "Saint-Remy" }).first();
  for (const one of [card, longestCard])
    await expect(one.getByRole("button", { name: "More" })).toBeVisible();
  for (const [width, height] of [
    [1440, 900],
    [820, 1180],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const one of [card, longestCard]) {
      const size = () => one.evaluate((it) => it.getBoundingClientRect().height);
      await expect.poll(size).toBeLessThanOrEqual(640);
    }
    for (const shown of ["$98,890", "$99,699", "Fair", "2024", "264 months", "Date of Post"])
      await expect(longestCard.getByText(shown, { exact: true })).toBeVisible();
    await expect(longestCard.getByText(/^Saint-Remy/)).toBeVisible();
    for (const shown of [
      "Resale Price",
      "$1,890",
      "Original Price",
      "$12,699",
      "Condition",
      "Fair",
      "Purchase Year",
      "2024",
      "Use Duration",
      "64 months",
      "Location",
      laptop.location,
      "Date of Post",
      name,
    ])
      await expect(card.getByText(shown, { exact: true })).toBeVisible();
    const cutOff = () =>
      card.evaluate((it) =>
        [...it.querySelectorAll("dd, dt")].some((e) => e.scrollWidth > e.clientWidth + 1),
      );
    await expect.poll(cutOff).toBe(false);
  }
});
