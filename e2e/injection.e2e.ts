import { expect, type Page } from "@playwright/test";
import { bookProduct } from "#contract/bookings.ts";
import { toggleAdvertise } from "#contract/products.ts";
import { reportProduct } from "#contract/reports.ts";
import { listLaptop, type Member, newCredentials, registerMember } from "./accounts.ts";
import { navigateOnClient, openActions, rowOf, signIn, signInAs, test } from "./fixtures.ts";

/** These payloads mark the page with `data-run` if they are parsed as HTML. */
const short = `"'><img data-run src=x onerror=alert(1)><svg onload=alert(2)>`;
const middle = `${short}</title></script><script data-run>alert(3)</script>`;
const long = [
  middle,
  `</textarea><style data-run></style><iframe data-run srcdoc="<script>alert(4)</script>"></iframe>`,
  `<a data-run href="javascript:alert(5)">here</a>{{constructor.constructor('alert(6)')()}}`,
  "<!--<base data-run href=//elsewhere.test>-->\\u003cscript>alert(7)\\u003c/script>",
].join("\n");

test.use({ expectedErrors: [/the server responded with a status of 404/] });

// CSP violations are console errors, which fail the test too.
test("§10.28: user input is rendered as text on pages of visitors, buyers, sellers and admins", async ({
  page,
  demoMembers,
}) => {
  page.on("dialog", (opened) => {
    throw new Error(`something ran: ${opened.message()}`);
  });
  const url = String(test.info().project.use.baseURL);
  const seller = await registerMember(url, "seller", { ...newCredentials("Mallory"), name: short });
  const buyer = await registerMember(url, "buyer", { ...newCredentials("Trudy"), name: short });
  const [shown, held] = [await list(seller), await list(seller)];
  await seller.call(toggleAdvertise, { body: { id: shown.id, advertiseStatus: false } });
  const reported = { comment: long, reportProduct: { _id: shown.id } };
  await buyer.call(reportProduct, { body: reported });
  const order = {
    price: 640,
    phone: "5550177",
    location: middle,
    bookingProduct: { _id: held.id },
  };
  const { insertedId: booking } = await buyer.call(bookProduct, { body: order });

  await test.step("a buyer's pages", async () => {
    await signIn(page, buyer);
    await visit(page, "/");
    await visit(page, `/categoryProducts/${shown.category}`);
    const card = page.getByRole("article").filter({ hasText: middle }).first();
    for (const name of ["Book Now", "Report"]) {
      await card.getByRole("button", { name }).click();
      await expect(page.getByRole("dialog")).toContainText(middle);
      await nothingRan(page);
      await page.keyboard.press("Escape");
    }
    await inside(page, "/dashboard");
    await inside(page, `/dashboard/payment/${booking}`);
    // Waits, because leaving now would interrupt the request for the payment intent.
    await expect(page.getByRole("button", { name: /^Pay \$/ })).toBeVisible();
  });

  await test.step("the seller's pages", async () => {
    await signInAs(page, seller);
    await visit(page, "/dashboard/myProducts");
    await openActions(rowOf(page, middle).last());
    await rowOf(page, middle).getByRole("button", { name: "Delete" }).last().click();
    await expect(page.getByRole("dialog")).toContainText(middle);
    await nothingRan(page);
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await inside(page, "/dashboard/profile", "");
    await expect(page.getByLabel("Name")).toHaveValue(short);
  });

  await test.step("an admin's pages", async () => {
    await signInAs(page, demoMembers.admin);
    await visit(page, "/dashboard/reportedItems", "alert(6)");
    await inside(page, "/dashboard/allSellers", short);
    await inside(page, "/dashboard/allBuyers", short);
    await inside(page, `/dashboard/auditLog?email=${buyer.email}`, short);
  });

  await test.step("pages whose URL contains a payload", async () => {
    const text = encodeURIComponent(middle);
    await page.goto(`/login?from=${encodeURIComponent("javascript:alert(8)")}`);
    await expect(page).toHaveURL("/");
    await inside(page, `/dashboard/payments?search=${text}`, "");
    await inside(page, `/categoryProducts/${text}`, "");
    await page.goto("about:blank");
    await page.context().clearCookies();
    for (const path of ["/auth/done?from=/&error=", "/reset-password?token=", "/no/"]) {
      await visit(page, `${path}${text}`, "");
    }
  });
});

async function list(seller: Member): Promise<{ id: string; category: string }> {
  const texts = { product_name: middle, location: middle, description: long };
  const { _id: id, category } = await listLaptop(seller, texts);
  return { id, category };
}

/** Opens the page and expects the payload as text, not executed. */
async function visit(page: Page, address: string, text = middle): Promise<void> {
  await page.goto(address);
  await look(page, text);
}

async function inside(page: Page, address: string, text = middle): Promise<void> {
  const heading = await page.locator("h1").first().textContent();
  await navigateOnClient(page, address);
  await expect(page.locator("h1").first()).not.toHaveText(heading ?? "");
  await look(page, text);
}

async function look(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text).first()).toBeAttached();
  await expect(page.locator("h1").first()).toBeVisible();
  await nothingRan(page);
}

async function nothingRan(page: Page): Promise<void> {
  await expect(page.locator("[data-run]")).toHaveCount(0);
}
