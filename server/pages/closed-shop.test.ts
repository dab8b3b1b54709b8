import { expect, onTestFinished, vi } from "vitest";
import { bookProduct, listBookings } from "#contract/bookings.ts";
import { inviteFriend } from "#contract/invitations.ts";
import { confirmAddress, isAdmin } from "#contract/members.ts";
import { askSeller } from "#contract/messages.ts";
import { makeOffer } from "#contract/offers.ts";
import { laptopPath } from "#contract/page-paths.ts";
import { addProduct } from "#contract/products.ts";
import { previewCookie } from "#contract/shop.ts";
import {
  defaultSettings,
  publishShopSettings,
  readShopSettings,
  saveShopDraft,
} from "#contract/shop-settings.ts";
import { acceptStaffInvitation, inviteStaff } from "#contract/staff.ts";
import { publishSettings } from "../features/shop-settings/shop-settings.ts";
import { signUpAt } from "../testing/browser.ts";
import { shopTest } from "../testing/fixtures.ts";
import { queuedEmails, tokenIn } from "../testing/inbox.ts";
import {
  bookLaptop,
  callsOver,
  draftListing,
  goodLaptop,
  listing,
  openPayment,
  orderFor,
} from "../testing/marketplace.ts";
import { anyCategory, errorOf, member, type Person } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";

const test = shopTest({ pages: true, sandbox: true });

async function publish(admin: Person, closed: boolean): Promise<void> {
  const { number: basedOn, draftRevision: over } = await admin.call(readShopSettings, {});
  const settings = { ...defaultSettings, name: "Relap", closed };
  await admin.call(publishShopSettings, { body: { settings, basedOn, over } });
}

const close = (admin: Person) => publish(admin, true);

test.afterEach(async ({ shop, admin }) => {
  await publish(admin, false);
  await expect.poll(() => statusOf(shop, "/")).toBe(200);
});

const ask = ({ url }: Shop, path: string, headers = {}) => fetch(`${url}${path}`, { headers });
const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status;

async function publicAddresses(shop: Shop, seller: Person): Promise<string[]> {
  const category = await anyCategory(shop);
  const id = await listing(seller, { product_categoryId: category });
  return [
    "/",
    "/terms",
    "/signup",
    "/search?q=thinkpad",
    "/no/such/page",
    `/categoryProducts/${category}`,
    laptopPath(id, goodLaptop.product_name),
    `/sellers/${seller.id}`,
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/api/advertisedProducts",
    `/api/categoryProducts/${category}`,
    `/api/products/byId/${id}`,
    "/api/search?q=thinkpad",
    "/api/pageText?path=/terms",
  ];
}

/** Expects that a node reads the settings within two seconds. Rendering a page may take longer. */
const expectSoon = ({ deps }: Shop, settings: { closed: boolean }) =>
  expect.poll(() => deps.shop.get(), { timeout: 2_000 }).toMatchObject(settings);

test("two seconds after a shop closes, no node serves public pages or lists to visitors, not even from the cache", async ({
  shop,
  admin,
  seller,
}) => {
  const other = await openShop({ beside: shop, pages: true });
  onTestFinished(() => other.close());
  const addresses = await publicAddresses(shop, seller);
  for (const node of [shop, other])
    for (const path of addresses)
      expect([path, await statusOf(node, path)]).toEqual([
        path,
        path === "/no/such/page" ? 404 : 200,
      ]);

  await close(admin);
  for (const node of [shop, other]) {
    await expectSoon(node, { closed: true });
    for (const path of addresses) {
      const answer = await ask(node, path);
      expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "3600"]);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(await answer.text(), path).not.toContain("ThinkPad");
    }
  }
  const page = await (await ask(shop, "/")).text();
  expect(page).toContain("<h1>Relap opens soon.</h1>");
  expect(await (await ask(shop, "/api/advertisedProducts")).json()).toMatchObject({
    code: "CLOSED",
    message: "Relap opens soon. Please come back later.",
  });
  await publish(admin, false);
  for (const node of [shop, other]) {
    await expectSoon(node, { closed: false });
    expect(await statusOf(node, "/")).toBe(200);
  }
});

test("a closed shop answers visitors without a database query, but serves login, members' pages, the card provider's webhook and probes", async ({
  shop,
  admin,
}) => {
  await close(admin);
  const open = [
    "/login",
    "/login?from=%2Fdashboard",
    "/forgot-password",
    "/reset-password",
    "/dashboard",
    "/dashboard/shop",
    "/api/config",
    "/api/categories",
    "/healthz",
    "/readyz",
    "/robots.txt",
    "/manifest.webmanifest",
  ];
  for (const path of open) expect([path, await statusOf(shop, path)]).toEqual([path, 200]);
  const webhook = await fetch(`${shop.url}/api/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": "t=1,v1=0" },
    body: "{}",
  });
  expect(webhook.status).toBe(400);

  await expect.poll(() => statusOf(shop, "/")).toBe(503);
  const asked = vi.spyOn(shop.pool, "connect");
  onTestFinished(() => asked.mockRestore());
  for (const path of ["/", "/api/advertisedProducts"]) expect(await statusOf(shop, path)).toBe(503);
  expect(asked).not.toHaveBeenCalled();
});

test("in a closed shop, members can finish their deals but can't begin new ones", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const [held, free] = [await listing(seller), await listing(seller)];
  const booking = await bookLaptop(buyer, held);
  const another = await draftListing(seller);
  await close(admin);
  expect(await openPayment(buyer, booking)).toMatch(/^pi_/);
  const bookings = await buyer.call(listBookings, { params: { email: buyer.email } });
  expect(bookings).toHaveLength(1);
  const closed = { status: 503, code: "CLOSED" };
  const order = { body: orderFor(free) };
  expect(await errorOf(buyer.call(bookProduct, order))).toMatchObject(closed);
  expect(await errorOf(seller.call(addProduct, { body: another }))).toMatchObject(closed);
  const question = { text: "Is it there?", key: crypto.randomUUID(), product: { _id: free } };
  expect(await errorOf(buyer.call(askSeller, { body: question }))).toMatchObject(closed);
  const friend = { body: { email: "friend@example.com" } };
  expect(await errorOf(buyer.call(inviteFriend, friend))).toMatchObject(closed);

  const newcomer = {
    name: "Nora",
    email: "nora@example.com",
    password: "Strong#2026",
  };
  const signingUp = await fetch(`${shop.url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: shop.url },
    body: JSON.stringify(newcomer),
  });
  expect([signingUp.status, await signingUp.json()]).toMatchObject([503, { code: "CLOSED" }]);
});

test("in a closed shop, someone invited to the staff can sign up, confirm their email address and join", async ({
  shop,
  admin,
}) => {
  await close(admin);
  const email = "ines@example.com";
  await admin.call(inviteStaff, { body: { email, role: "support" } });
  const mailedToken = async (subject: RegExp) => {
    const mails = (await queuedEmails(shop)).filter(({ to }) => to === email);
    return tokenIn(mails.find((mail) => subject.test(mail.subject)) ?? { text: "" });
  };
  const token = await mailedToken(/^Join the staff/);
  const from = encodeURIComponent(`/dashboard/staff?token=${token}`);
  expect(await statusOf(shop, `/signup?from=${from}`)).toBe(200);
  expect(await statusOf(shop, "/signup?from=%2Fdashboard")).toBe(503);

  const ines = callsOver(await signUpAt(shop.url, email, "buyer"));
  await ines.call(confirmAddress, { body: { token: await mailedToken(/^Confirm/) } });
  await ines.call(acceptStaffInvitation, { body: { token } });
  expect(await ines.call(isAdmin, { params: { email } })).toEqual({ isAdmin: true });
  await expect(signUpAt(shop.url, "uninvited@example.com", "buyer")).rejects.toThrow("CLOSED");
});

test("in a closed shop, members can see laptops that they have booked, asked about or made offers on, but no others", async ({
  shop,
  admin,
  seller,
}) => {
  const [booked, asked, offered, other] = [
    await listing(seller),
    await listing(seller),
    await listing(seller),
    await listing(await member(shop, { accountType: "seller" })),
  ];
  const buyer = await member(shop);
  await bookLaptop(buyer, booked);
  const question = { text: "Is it still there?", key: crypto.randomUUID() };
  await buyer.call(askSeller, { body: { ...question, product: { _id: asked } } });
  const offer = { price: 600, phone: "5550177", location: "Union Station" };
  await buyer.call(makeOffer, { body: { ...offer, product: { _id: offered } } });
  await close(admin);
  const read = ({ cookie }: Person, id: string) =>
    statusOf(shop, `/api/products/byId/${id}`, { cookie });
  for (const id of [booked, asked, offered])
    expect([await read(seller, id), await read(buyer, id)]).toEqual([200, 200]);
  expect([await read(seller, other), await read(buyer, other)]).toEqual([503, 503]);
  expect(await statusOf(shop, `/api/products/byId/${booked}`)).toBe(503);
});

test("admins and browsers with a preview see a closed shop's real pages, and visitors never get these pages from the cache", async ({
  shop,
  admin,
  seller,
  buyer,
}) => {
  const laptop = await listing(seller);
  const settings = { ...defaultSettings, name: "Draftlap", closed: true };
  await close(admin);
  const { number: basedOn } = await admin.call(readShopSettings, {});
  const { insertedId } = await admin.call(saveShopDraft, { body: { settings, basedOn } });
  const preview = `${previewCookie}=${insertedId}`;
  const path = `/api/products/byId/${laptop}`;
  for (const cookie of [admin.cookie, preview]) {
    for (const one of ["/", path, "/sitemap.xml"])
      expect([one, await statusOf(shop, one, { cookie })]).toEqual([one, 200]);
    const page = await ask(shop, "/", { cookie });
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    for (const one of ["/", path]) expect(await statusOf(shop, one)).toBe(503);
  }
  expect(await (await ask(shop, "/", { cookie: admin.cookie })).text()).toContain("Relap");
  expect(await (await ask(shop, "/", { cookie: preview })).text()).toContain("Draftlap");
  for (const cookie of [buyer.cookie, `${previewCookie}=${crypto.randomUUID()}`])
    expect(await statusOf(shop, "/", { cookie })).toBe(503);

  // Members whose browsers have the preview cookie can book.
  const withPreview: typeof fetch = async (input, init) =>
    await fetch(input, { ...init, headers: { ...init?.headers, cookie: preview } });
  const previewing = callsOver({ ...buyer.connection, fetch: withPreview });
  expect(await bookLaptop(previewing, laptop)).toMatch(/-/);
});

test("a shop that is set to closed stays open until it has an admin, because the first admin has to sign up", async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const settings = { ...defaultSettings, closed: true };
  await publishSettings(shop.deps, { actor: null, settings, basedOn: 0 });
  await expect.poll(() => shop.deps.shop.get().closed).toBe(true);
  expect(await statusOf(shop, "/api/advertisedProducts")).toBe(200);
  await member(shop, { isAdmin: true });
  expect(await statusOf(shop, "/api/advertisedProducts")).toBe(503);
});
