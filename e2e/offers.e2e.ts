import { expect } from "@playwright/test";
import { noFee } from "#contract/fee.ts";
import { paths } from "#web/paths.ts";
import { listLaptop } from "./accounts.ts";
import { changeDatabase } from "./database.ts";
import { navigateOnClient, rowOf, signIn, test, toastOf } from "./fixtures.ts";

test.use({ expectedErrors: [/status of 4(00|09)/] });

test("a buyer makes an offer, the seller counters, and the buyer holds the laptop at the seller's price", async ({
  page,
  otherPage: theirs,
  newSeller,
  buyer,
}) => {
  const { _id, product_name } = await listLaptop(newSeller);
  await signIn(page, buyer);
  await page.goto(paths.laptop(_id, product_name));
  await page.getByRole("link", { name: "Make an offer" }).click();
  const price = page.getByLabel("Your price ($)");
  await price.fill("700");
  await page.getByLabel("Phone").fill("503-555-0100");
  await page.getByLabel("Meeting Location").fill("Central Library");
  await page.getByRole("button", { name: "Send offer" }).click();
  const tooHigh = "The price is $640. An offer has to be lower.";
  await expect(price).toHaveAccessibleDescription(tooHigh);
  await expect(price).toBeFocused();
  await price.fill("300");
  await expect(page.getByText(tooHigh)).toHaveCount(0);
  await page.getByRole("button", { name: "Send offer" }).click();
  const doubt = page.getByRole("dialog", { name: "Send anyway?" });
  await expect(doubt).toContainText("$300 is less than half of the price.");
  await doubt.getByRole("button", { name: "Cancel" }).click();
  await price.fill("450");
  await page.getByRole("button", { name: "Send offer" }).click();
  await expect(toastOf(page, "Your offer is on its way to the seller.")).toBeVisible();
  await expect(page.getByRole("article", { name: `$450 for ${product_name}` })).toContainText(
    "You offer $450",
  );
  await navigateOnClient(page, `${paths.offers()}?about=${_id}`);
  const open = page.getByRole("region", { name: "Your open offer for this laptop" });
  await expect(open.getByRole("button", { name: "Withdraw offer" })).toBeVisible();
  await expect(price).toHaveCount(0);

  await signIn(theirs, newSeller);
  await theirs.goto(`${paths.offers()}?about=${_id}`);
  await expect(theirs.getByText("Only buyers can make an offer")).toBeVisible();
  await expect(theirs.getByRole("button", { name: `Accept $450 for` })).toBeVisible();
  await theirs.goto("/dashboard/myProducts");
  await theirs.getByRole("link", { name: `Answer the offer of $450 for ${product_name}` }).click();
  const offer = theirs.getByRole("article", { name: `$450 for ${product_name}` });
  await expect(offer).toContainText("The buyer offers $450 (listed for $640)");
  await expect(offer).not.toContainText("503-555-0100");
  await offer.getByRole("button", { name: "Another price" }).click();
  const theirPrice = theirs.getByRole("dialog").getByLabel("Your price ($)");
  await theirPrice.fill("450");
  await theirs.getByRole("button", { name: "Submit" }).click();
  await expect(theirPrice).toBeFocused();
  await expect(theirPrice).toHaveAccessibleDescription(
    /They've already offered \$450\. Accept it or name a higher price\./,
  );
  await theirPrice.fill("500");
  await theirs.getByRole("button", { name: "Submit" }).click();
  await expect(theirs.getByRole("article", { name: `$500 for ${product_name}` })).toContainText(
    "You offer $500",
  );

  await navigateOnClient(page, paths.myOrders());
  await page.getByRole("link", { name: `Answer the offer of $500 for ${product_name}` }).click();
  const counter = page.getByRole("article", { name: `$500 for ${product_name}` });
  await counter.getByRole("button", { name: `Accept $500 for ${product_name}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
  await expect(counter).toContainText("Accepted.");
  await navigateOnClient(page, "/dashboard");
  await expect(rowOf(page, product_name)).toContainText("$500");
  await page.getByRole("link", { name: `Pay for ${product_name}`, exact: true }).click();
  await expect(page.getByText("Please Pay $500 for your booking product")).toBeVisible();

  await changeDatabase((tx) =>
    tx
      .updateTable("bookings")
      .set({ fee: JSON.stringify({ ...noFee, percent: 5 }) })
      .where("product_id", "=", _id)
      .execute(),
  );
  await theirs.goto("/dashboard/myProducts");
  const row = rowOf(theirs, product_name);
  await expect(row.getByRole("cell", { name: "$500", exact: true })).toBeVisible();
  await expect(row).toContainText("Agreed price: $500. Listed at $640.");
  await expect(row).toContainText("You get $475 after our $25 fee.");
});
