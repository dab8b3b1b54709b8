import { expect } from "@playwright/test";
import { complain } from "#contract/complaints.ts";
import { listLaptop, receiveLaptop } from "./accounts.ts";
import { expectAccessible } from "./axe.ts";
import { rowOf, signIn, signInAs, test, toastOf } from "./fixtures.ts";
import { confirmAddresses } from "./mails.ts";

test("a buyer who wins a complaint is refunded when the seller enters the return code", async ({
  page,
  newSeller,
  buyer,
  demoMembers: { admin },
}) => {
  await confirmAddresses([buyer, newSeller]);
  const laptop = await listLaptop(newSeller);
  const name = laptop.product_name;
  const { booking } = await receiveLaptop(buyer, laptop);
  const body = { bookingId: booking, reason: "not_working", words: "Dead keys." } as const;
  await buyer.call(complain, { body });

  await signInAs(page, admin);
  await page.goto(`/dashboard/complaint/${booking}`);
  await page.getByLabel("Refund to the buyer ($)").fill("640");
  await expect(page.getByLabel("If all of it goes back")).toHaveValue("returned");
  await page.getByLabel("Say why").fill("The keys are dead.");
  await page.getByRole("button", { name: "Decide" }).click();
  const dialog = page.getByRole("dialog", { name: "Decide this complaint?" });
  await expect(dialog).toContainText(
    `${buyer.name} gets a full refund of $640 once ${newSeller.name} has the laptop.`,
  );
  await dialog.getByRole("button", { name: "Decide" }).click();
  const waits = /^The buyer gets all of the \$640 back once the seller has the laptop\./;
  await expect(page.getByText(waits)).toBeVisible();
  await expectAccessible(page);

  await signIn(page, buyer);
  await page.goto("/dashboard");
  await expect(rowOf(page, name)).toContainText("Give the laptop back by");
  await page.getByRole("link", { name: `Return code for ${name}`, exact: true }).click();
  await expect(page.getByRole("heading", { name: "Return" })).toBeVisible();
  const code = (await page.getByText(/^\d{3} \d{3}$/).textContent()) ?? "";
  await expectAccessible(page);

  await signInAs(page, newSeller);
  await page.goto("/dashboard/myProducts");
  await page.getByRole("link", { name: "enter their return code" }).click();
  await page.getByLabel("Return code", { exact: true }).fill(code);
  await expectAccessible(page);
  await page.getByLabel("Return code", { exact: true }).press("Enter");
  await expect(toastOf(page, "You have it back. The buyer is refunded.")).toBeVisible();

  await signInAs(page, buyer);
  await page.goto("/dashboard");
  await expect(rowOf(page, name)).toContainText("$640");
  await expect(rowOf(page, name)).toContainText(/on its way back|was refunded/);
});
