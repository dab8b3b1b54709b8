import { expect } from "@playwright/test";
import { listMessages } from "#contract/messages.ts";
import { makeOffer } from "#contract/offers.ts";
import { paths } from "#web/paths.ts";
import { fillLogin, signIn, test, toastOf, waitForHydration } from "./fixtures.ts";
import { countRequests } from "./network.ts";

test.use({ expectedErrors: [/net::ERR_FAILED/] });

test("a visitor logs in to ask the seller a question, the seller answers, and phone numbers stay hidden", async ({
  page,
  otherPage: theirs,
  laptop: { _id, product_name },
  buyer,
  seller,
  demoMembers: { admin, buyer: otherBuyer },
}) => {
  // Without an event stream, the buyer's browser polls.
  await page.route("**/api/messageEvents*", (route) => route.abort());
  await page.goto(paths.laptop(_id, product_name));
  await page.getByRole("link", { name: "Ask the seller" }).click();
  await fillLogin(page, buyer);
  await page.getByLabel("Your question").fill("Still for sale? Call me: 503-555-0100");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const messages = page.getByRole("log", { name: "Messages" });
  await expect(messages).toContainText("Call me: 503-555-0100");
  await expect(messages).toContainText("can't see the phone number, email address or link");

  await signIn(theirs, seller);
  await theirs.goto(paths.messages());
  const entry = theirs.getByRole("link", { name: /Still for sale\? Call me: \[hidden/ });
  await expect(entry).toContainText("1 unread");
  await entry.click();
  const read = theirs.getByRole("log", { name: "Messages" });
  await expect(read).toContainText("Call me: [hidden until paid]");
  await expect(theirs.getByRole("link", { name: `${product_name}, $640` })).toBeVisible();
  const composer = theirs.getByLabel("Message", { exact: true });
  await composer.fill("Yes, it is.");
  await composer.press("Shift+Enter");
  await composer.pressSequentially("Shall we meet?");
  await composer.press("Enter");
  await expect(read).toContainText("Yes, it is.\nShall we meet?");
  await expect(composer).toHaveValue("");
  await expect(composer).toBeFocused();
  await expect(messages).toContainText("Yes, it is.");
  await page.getByLabel("Message", { exact: true }).fill("Great, I'll take it.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(read).toContainText("Great, I'll take it.");
  const terms = { price: 450, phone: "503-555-0100", location: "Central Library" };
  await otherBuyer.call(makeOffer, { body: { product: { _id }, ...terms, price: 460 } });
  await buyer.call(makeOffer, { body: { product: { _id }, ...terms } });
  const offers = theirs.getByRole("region", { name: "Offers" });
  await expect(offers).toContainText("The buyer offers $450 (listed for $640)");
  await expect(offers.getByRole("article")).toHaveCount(1);
  await test.step("only the message list scrolls, and a new message does not move it while the seller reads older ones", async () => {
    await theirs.setViewportSize({ width: 1280, height: 720 });
    await expect(read.getByText("Great, I'll take it.")).toBeInViewport();
    await expect.poll(() => theirs.evaluate(() => document.documentElement.scrollHeight)).toBe(720);
    await read.evaluate((log) => log.scrollTo({ top: -log.scrollHeight }));
    await page.getByLabel("Message", { exact: true }).fill("When?");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(read).toContainText("When?");
    await expect(read.getByText("Still for sale?")).toBeInViewport();
    await expect(read.getByText("When?")).not.toBeInViewport();
  });

  await theirs.getByRole("button", { name: "Block" }).click();
  await expect(theirs.getByText("You have blocked this member")).toBeVisible();
  await theirs.getByRole("button", { name: "Unblock" }).click();
  await theirs.getByRole("button", { name: "Report" }).click();
  await theirs.getByLabel("Comment").fill("Wants to deal elsewhere.");
  await theirs.getByRole("button", { name: "Submit" }).click();
  await expect(toastOf(theirs, "Reported. Our team will read this conversation.")).toBeVisible();
  await signIn(theirs, admin);
  await theirs.goto(paths.messages());
  await expect(theirs.getByText("Only buyers and sellers write to each other here.")).toBeVisible();
  const report = theirs.getByRole("listitem").filter({ hasText: "Wants to deal elsewhere." });
  await report.getByRole("button", { name: "Read messages" }).click();
  await expect(report).toContainText("Call me: [hidden until paid]");
  await expect(report).toContainText("Admins never see phone numbers, email addresses or links");
  await expect(report).not.toContainText("once the laptop is paid for here");
});

test("a typed question survives a failed request and a reload, and a double click sends the question once", async ({
  buyerPage: page,
  buyer,
  laptop,
}) => {
  await page.goto(`${paths.messages()}?about=${laptop._id}`);
  await page.getByLabel("Your question").fill("How old is the battery?");
  await page.route("**/api/conversations", (route) =>
    route.request().method() === "POST" ? route.abort() : route.continue(),
  );
  const send = page.getByRole("button", { name: "Send", exact: true });
  await send.click();
  await expect(page.getByRole("alert")).not.toBeEmpty();
  await page.unrouteAll();
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByLabel("Your question")).toHaveValue("How old is the battery?");
  const sent = countRequests(page, "POST", /\/api\/conversations$/);
  await send.dblclick();
  await expect(page.getByRole("log")).toContainText("How old is the battery?");
  expect(sent()).toBe(1);
  const id = new URL(page.url()).searchParams.get("conversation") ?? "";
  const stored = await buyer.call(listMessages, { params: { id } });
  expect(stored).toHaveLength(1);
});

test("on a phone, the question form is in the same place with and without the shortcuts, which may appear late", async ({
  buyerPage: page,
  laptop: { _id },
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${paths.messages()}?about=${_id}`);
  const shortcuts = page.getByRole("navigation", { name: "Shortcuts" });
  await expect(shortcuts).toBeVisible();
  const send = page.getByRole("button", { name: "Send", exact: true });
  const withShortcuts = await send.boundingBox();
  await shortcuts.evaluate((nav) => nav.remove());
  await expect.poll(() => send.boundingBox()).toEqual(withShortcuts);
});
