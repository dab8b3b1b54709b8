import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookProduct } from "#contract/bookings.ts";
import { send } from "#contract/client.ts";
import { inviteFriend } from "#contract/invitations.ts";
import {
  confirmAddress,
  joinAsMember,
  readConfirmation,
  resendConfirmation,
} from "#contract/members.ts";
import { addProduct } from "#contract/products.ts";
import { connect, logIn, signUpAt, signUpIn, signUpName } from "../../testing/browser.ts";
import { queuedEmails, tokenIn } from "../../testing/inbox.ts";
import { draftListing, listing, orderFor } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";

let shop: Shop;
let strict: Shop;

beforeAll(async () => {
  // The shops have no worker, so queued emails stay in the queue for the tests to read.
  [shop, strict] = await Promise.all([
    openShop({ env: { RATE_LIMIT: "on" } }),
    openShop({ env: { CONFIRM_ADDRESSES: "required" } }),
  ]);
});
afterAll(() => Promise.all([shop.close(), strict.close()]));

const mailsFor = async (email: string) =>
  (await queuedEmails(shop)).filter(({ to }) => to === email);

async function mailedToken(email: string): Promise<string> {
  const last = (await mailsFor(email)).at(-1);
  if (!last) throw new Error(`no mail to ${email}`);
  return tokenIn(last);
}

const confirm = (token: string) => createVisitor(shop).send(confirmAddress, { body: { token } });

describe("confirmation link", () => {
  test("§10.1: the sign-up email omits the member's name, and its link confirms the address once, on any device", async () => {
    const email = "ada@example.com";
    const ada = await signUpAt(shop.url, email, "buyer");
    const [mail, ...more] = await mailsFor(email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe("Confirm your email address");
    expect(mail?.text).not.toContain(signUpName);
    expect((await send(ada, readConfirmation, {})).body.confirmed).toBe(false);
    const token = await mailedToken(email);
    expect((await confirm(token)).body).toEqual({ acknowledged: true, already: false });
    expect((await send(ada, readConfirmation, {})).body.confirmed).toBe(true);
    expect((await confirm(token)).body).toEqual({ acknowledged: true, already: true });
  });

  test("a confirmation token is stored only as a hash, and merely opening the link doesn't confirm the address", async () => {
    const email = "scanned@example.com";
    const someone = await signUpAt(shop.url, email, "buyer");
    const token = await mailedToken(email);
    const { rows } = await shop.pool.query("select * from email_confirmations");
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const path of ["/api/users/confirmation", "/confirm-email"])
      await fetch(`${shop.url}${path}?token=${token}`);
    expect((await send(someone, readConfirmation, {})).body.confirmed).toBe(false);
  });

  test("a confirmation link expires after 24 hours, and the error explains how to get a new link", async () => {
    const email = "late@example.com";
    await signUpAt(shop.url, email, "buyer");
    const token = await mailedToken(email);
    shop.clock.advance(24 * 60);
    for (const one of [token, "made-up"])
      expect(await errorOf(confirm(one))).toMatchObject({
        status: 409,
        code: "LINK_EXPIRED",
        message: "This link has expired or is incomplete. Log in, and have a new one sent to you.",
      });
  });

  test("at most one confirmation link a minute and five a day are sent, and none after the address is confirmed", async () => {
    const email = "again@example.com";
    await signUpAt(shop.url, email, "buyer");
    const { browser } = await logIn(shop.url, email);
    const again = async () => {
      // An earlier access token expires after 15 minutes by the shop's clock.
      const asked = send(await connect(browser, email), resendConfirmation, {});
      return await errorOf(asked).catch(() => "sent");
    };
    expect(await again()).toMatchObject({
      status: 429,
      message: "We sent you a link a moment ago. Wait a minute to get another.",
    });
    for (let times = 1; times < 5; times += 1) {
      shop.clock.advance(2);
      expect(await again()).toBe("sent");
    }
    shop.clock.advance(2);
    expect(await again()).toMatchObject({ status: 429, message: /five links today/ });
    expect(await mailsFor(email)).toHaveLength(5);
    await confirm(await mailedToken(email));
    expect(await again()).toMatchObject({ status: 409, code: "ALREADY_CONFIRMED" });
  });
});

describe("an address that needs no link", () => {
  test("an address already verified by the identity service is confirmed without a link", async () => {
    const person = { name: "Demo Buyer", email: "demo@demo.test", password: "Demo#2026" };
    await shop.deps.identity.createAccount?.(person);
    const { name, email, password } = person;
    const { browser } = await logIn(shop.url, email, { password });
    await send(browser.connection, joinAsMember, { body: { name, email, accountType: "buyer" } });
    const { body } = await send(await connect(browser, email), readConfirmation, {});
    expect(body.confirmed).toBe(true);
    expect(await mailsFor(email)).toEqual([]);
  });
});

describe("a member with an unconfirmed address", () => {
  test("a member with an unconfirmed address can't book, list or invite if the shop requires confirmation", async () => {
    const [seller, lister, buyer] = await Promise.all([
      member(strict, { accountType: "seller" }),
      member(strict, { accountType: "seller", confirmed: false }),
      member(strict, { confirmed: false }),
    ]);
    const order = { body: orderFor(await listing(seller)) };
    const refused = await Promise.all([
      errorOf(buyer.call(bookProduct, order)),
      errorOf(lister.call(addProduct, { body: await draftListing(lister) })),
      errorOf(buyer.call(inviteFriend, { body: { email: "friend@example.com" } })),
    ]);
    for (const refusal of refused)
      expect(refusal).toMatchObject({ status: 403, code: "ADDRESS_NOT_CONFIRMED" });
    expect(refused[0]?.message).toMatch(/^Please confirm your email address first/);
    expect(await queuedEmails(strict)).toEqual([]);
    expect((await buyer.call(readConfirmation, {})).required).toBe(true);
    await strict.pool.query("update members set confirmed_at = now() where id = $1", [buyer.id]);
    expect((await buyer.send(bookProduct, order)).status).toBe(201);
  });

  test("a member with an unconfirmed address can book if confirmation is optional", async () => {
    const seller = await member(shop, { accountType: "seller" });
    const buyer = await member(shop, { confirmed: false });
    const order = { body: orderFor(await listing(seller)) };
    expect((await buyer.send(bookProduct, order)).status).toBe(201);
    expect((await buyer.call(readConfirmation, {})).required).toBe(false);
  });

  test("an account that hasn't joined as a member isn't emailed a confirmation link", async () => {
    await signUpIn(shop.url, "half@example.com");
    expect(await mailsFor("half@example.com")).toEqual([]);
  });
});
