import { pageOf } from "./page.ts";
import type { Session } from "./session.ts";

type Job = {
  url: string;
  photo: string;
  step(title: string, work: () => Promise<void>): Promise<void>;
};

const password = "Secret#2026";

export async function sellBookAndPay(session: Session, { url, photo, step }: Job): Promise<void> {
  const page = pageOf(session);
  const laptop = `ThinkPad T14s ${crypto.randomUUID().slice(0, 8)}`;

  async function signUp(name: string, accountType: string): Promise<void> {
    await page.goto(`${url}/signup`);
    await page.fill("Name", name);
    await page.fill(
      "Email",
      `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.com`,
    );
    await page.fill("Password", password);
    await page.select("Account Type", accountType);
    await page.click("Sign up");
    // The redirect to Home would otherwise override the next navigation.
    await page.expectText("Product Categories");
  }

  await step("sign up as a seller", () => signUp("Selma", "Seller"));
  await step("list a laptop", async () => {
    await page.click("Dashboard");
    await page.click("Show all on one page");
    await page.fill("Product Name", laptop);
    await page.select("Category", "Lenovo");
    await page.select("Condition", "Good");
    await page.fill("Resale Price ($)", "480");
    await page.fill("Original Price ($)", "1459");
    await page.fill("Year of Purchase", "2023");
    await page.fill("Use Duration (months)", "31");
    await page.fill("Mobile Number", "5550142");
    await page.fill("Location", "Portland");
    await page.fill("Product Description", "Battery at 91 %. Charger included.");
    await page.chooseFile(photo);
    await page.click("Add Product");
    await page.expectText(`Product ${laptop} is added successfully`);
    await page.click("Sign Out");
    await page.expectText("Forget Password?");
  });
  await step("sign up as a buyer", () => signUp("Bertil", "Buyer"));
  await step("hold the laptop", async () => {
    await page.goto(url);
    await page.click("Lenovo");
    await page.click("Book Now", laptop);
    await page.fill("Phone", "5550177");
    await page.fill("Meeting Location", "Union Station, under the clock");
    await page.click("Submit");
    await page.expectText("Booking confirmed");
  });
  await step("pay, with the bank's check", async () => {
    await page.click("Pay", laptop);
    await page.expectText("Please Pay $480 for your booking product");
    await page.inFrameWith("[name=cardnumber]", async (card) => {
      await card.type("[name=cardnumber]", "4000002760003184");
      await card.type("[name=exp-date]", "1234");
      await card.type("[name=cvc]", "123");
    });
    await page.click("Pay $480");
    await page.inFrameWith("[data-outcome=complete]", (bank) =>
      bank.click("[data-outcome=complete]:enabled"),
    );
    await page.expectText("Congrats! your payment completed");
  });
}
