import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { listSellers, noteVerification, toggleSellerStatus } from "#contract/members.ts";
import { readSeller } from "#contract/sellers.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import { accountOf, connectBank } from "../../testing/settlements.ts";
import type { Shop } from "../../testing/shop.ts";
import { readSellerAccount } from "../money/record-payouts.ts";
import { confirmAddressOf } from "./confirmation.ts";

const test = dealTest();

/** Fails if the seller page shows other checks than the laptop page. */
async function checksShown(shop: Shop, seller: Person, laptop: string) {
  const visitor = createVisitor(shop);
  const page = await visitor.call(readProduct, { params: { id: laptop } });
  const { checks } = await visitor.call(readSeller, { params: { id: seller.id } });
  if (page.withdrawn) throw new Error("The laptop is withdrawn.");
  expect(page.sellerChecks).toEqual(checks);
  return checks;
}

async function asAdminsSee(admin: Person, { email }: Person) {
  const [seller] = await admin.call(listSellers, { query: { search: email } });
  return seller?.verification;
}

test("the verification badge shows the seller's current checks", async ({ shop, admin }) => {
  const seller = await member(shop, { accountType: "seller", confirmed: false });
  await confirmAddressOf(shop.deps.db, seller.id, shop.clock.now());
  const laptop = await listing(seller);
  await connectBank(shop.cards, seller);
  expect(await checksShown(shop, seller, laptop)).toEqual([]);
  const body = { id: seller.id, email: seller.email };
  await admin.call(toggleSellerStatus, { body: { ...body, verify: false } });
  expect(await checksShown(shop, seller, laptop)).toEqual(["admin", "email", "identity"]);
  const account = await accountOf(shop, seller);
  await shop.cards.setCapabilities(account, { payouts: "restricted" });
  await readSellerAccount(shop.deps, account);
  // The cached pages may be out of date for a moment.
  await expect.poll(() => checksShown(shop, seller, laptop)).toEqual(["admin", "email"]);
  await admin.call(toggleSellerStatus, { body: { ...body, verify: true } });
  expect(await checksShown(shop, seller, laptop)).toEqual([]);
});

test("admins see who verified a seller and when, and can note the reason", async ({
  shop,
  admin,
}) => {
  const seller = await member(shop, { accountType: "seller", confirmed: false });
  const unknown = { emailConfirmedAt: null, identityCheckedAt: null, verifiedAt: null };
  expect(await asAdminsSee(admin, seller)).toEqual({ ...unknown, verifiedBy: null, note: null });
  const note = { body: { id: seller.id, note: " Met at the market, showed an ID card. " } };
  expect(await errorOf(admin.call(noteVerification, note))).toMatchObject({ status: 404 });
  const body = { id: seller.id, email: seller.email };
  const verifiedAt = shop.clock.now().toISOString();
  await admin.call(toggleSellerStatus, { body: { ...body, verify: false } });
  await admin.call(noteVerification, note);
  const kept = { ...unknown, verifiedAt, note: "Met at the market, showed an ID card." };
  expect(await asAdminsSee(admin, seller)).toEqual({ ...kept, verifiedBy: admin.name });
  const own = await seller.call(readOwnData, {});
  expect(own.member.verification).toEqual(kept);
  await admin.call(toggleSellerStatus, { body: { ...body, verify: true } });
  expect(await asAdminsSee(admin, seller)).toEqual({ ...unknown, verifiedBy: null, note: null });
});
