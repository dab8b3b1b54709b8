import { describe, expect } from "vitest";
import {
  acceptInvitation,
  listSuspectInvitations,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { callsOver } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import {
  creditOf,
  forgetCards,
  hasDiscount,
  inviteByLink,
  release,
} from "../../testing/rewards.ts";
import type { Shop } from "../../testing/shop.ts";
import { ownDomainOf } from "./email-addresses.ts";

let lastNetwork = 0;
const newNetwork = () => `203.0.113.${++lastNetwork}`;

const test = dealTest({ env: { TRUST_PROXY: "loopback" } });

type Someone = { email?: string; network?: string; accountType?: "buyer" | "seller" };

/** Creates a member who has read their own invitations from the given network. */
async function enter(
  shop: Shop,
  { email, network = newNetwork(), accountType = "buyer" }: Someone,
): Promise<Person> {
  const someone = await member(shop, { accountType });
  if (email !== undefined)
    await shop.deps.db.updateTable("members").set({ email }).where("id", "=", someone.id).execute();
  await request(someone, { network });
  return someone;
}

async function request(
  someone: Person,
  { network, code }: { network: string; code?: string },
): Promise<void> {
  const from: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", network);
    return fetch(url, { ...init, headers });
  };
  const { call } = callsOver({ ...someone.connection, fetch: from });
  if (code === undefined) await call(readOwnInvitations, {});
  else await call(acceptInvitation, { body: { code } });
}

async function join(shop: Shop, inviter: Person, someone: Someone = {}): Promise<Person> {
  const { network = newNetwork() } = someone;
  const friend = await enter(shop, { ...someone, network });
  const { code } = await inviter.call(readOwnInvitations, {});
  await request(friend, { network, code });
  return friend;
}

async function reasonsOf(admin: Person, inviter: Person) {
  const waiting = await admin.call(listSuspectInvitations, {});
  return waiting.filter((one) => one.inviter._id === inviter.id).map(({ reason }) => reason);
}

describe("friends who look like fake accounts", () => {
  test("a friend who shares an email domain with the inviter or an earlier friend needs an admin's approval", async ({
    shop,
    admin,
  }) => {
    const inviter = await enter(shop, { email: "boss@catch-all.example" });
    for (const email of ["one@m1.catch-all.example", "two@m2.catch-all.example"])
      await join(shop, inviter, { email });
    expect(await reasonsOf(admin, inviter)).toEqual(["domain", "domain"]);
    const other = await enter(shop, { email: "boss@else.example" });
    for (const email of ["one@pair.example", "two@pair.example"])
      await join(shop, other, { email });
    expect(await reasonsOf(admin, other)).toEqual(["domain"]);
  });

  test("a friend who shares a network with the inviter or an earlier friend within 30 days needs an admin's approval", async ({
    shop,
    admin,
  }) => {
    const [network, shared] = [newNetwork(), newNetwork()];
    const inviter = await enter(shop, { network });
    const friend = await join(shop, inviter, { network });
    expect(await hasDiscount(friend)).toBe(false);
    for (let count = 0; count < 2; count += 1) await join(shop, inviter, { network: shared });
    expect(await reasonsOf(admin, inviter)).toEqual(["network", "network"]);
    shop.clock.advance(31 * 24 * 60);
    await join(shop, inviter, { network: shared });
    expect(await reasonsOf(admin, inviter)).toHaveLength(2);
  });

  test("a friend who uses the inviter's network after joining needs an admin's approval after paying", async ({
    shop,
    admin,
  }) => {
    const network = newNetwork();
    const inviter = await enter(shop, { network });
    const friend = await join(shop, inviter);
    await request(friend, { network });
    const sale = await deal(shop, "paid", { buyer: friend, paidBy: "pm_card_amex" });
    expect(await reasonsOf(admin, inviter)).toEqual(["network"]);
    await release(sale);
    expect(await creditOf(shop, inviter)).toBe(0);
  });

  test("a friend needs an admin's approval if the inviter later pays with the same card", async ({
    shop,
    admin,
  }) => {
    await forgetCards(shop);
    const inviter = await member(shop);
    const friend = await inviteByLink(shop, inviter);
    await deal(shop, "paid", { buyer: friend, paidBy: "pm_card_mastercard" });
    expect(await reasonsOf(admin, inviter)).toEqual([]);
    await deal(shop, "paid", { buyer: inviter, paidBy: "pm_card_mastercard" });
    expect(await reasonsOf(admin, inviter)).toEqual(["card"]);
  });

  test("a discounted purchase from a seller on the friend's domain or network needs an admin's approval once it is paid", async ({
    shop,
    admin,
  }) => {
    const network = newNetwork();
    for (const [friends, sellers, reason] of [
      [{ email: "mia@one.example" }, { email: "shop@one.example" }, "domain"],
      [{ network }, { network }, "network"],
    ] as const) {
      const inviter = await enter(shop, {});
      const seller = await enter(shop, { ...sellers, accountType: "seller" });
      const friend = await join(shop, inviter, friends);
      const sale = await deal(shop, "held", { buyer: friend, seller });
      await forgetCards(shop);
      await sale.pay("pm_card_amex");
      const queue = await admin.call(listSuspectInvitations, {});
      expect(queue.find((one) => one.inviter._id === inviter.id)).toMatchObject({
        reason,
        purchase: { discount: 96, seller: { _id: seller.id } },
      });
    }
  });
});

test("friends who share only a mail provider are not suspected", async ({ shop, admin }) => {
  const inviter = await enter(shop, { email: "ada@gmail.com" });
  for (const email of ["bea@gmail.com", "cleo@yahoo.co.uk", "dora@yahoo.co.uk", "eve@own.co.uk"])
    expect(await hasDiscount(await join(shop, inviter, { email }))).toBe(true);
  expect(await reasonsOf(admin, inviter)).toEqual([]);
});

test("ownDomainOf removes subdomains, and returns undefined for mail providers", () => {
  const domains = ["a@x.y.fakes.example", "a@Fakes.example", "a@m.fakes.co.uk", "a@two.de"];
  expect(domains.map(ownDomainOf)).toEqual([
    "fakes.example",
    "fakes.example",
    "fakes.co.uk",
    "two.de",
  ]);
  for (const provider of ["gmail.com", "yahoo.fr", "hotmail.co.uk", "web.de", "mail.example.com"])
    expect(ownDomainOf(`a@${provider}`)).toBeUndefined();
});
