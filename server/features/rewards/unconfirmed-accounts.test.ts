import { expect } from "vitest";
import { deleteAccount } from "#contract/account.ts";
import { send } from "#contract/client.ts";
import {
  acceptInvitation,
  inviteFriend,
  readInvitationOffer,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { confirmAddress } from "#contract/members.ts";
import { signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { queuedEmails, tokenIn } from "../../testing/inbox.ts";
import { createVisitor, member } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

type Account = Awaited<ReturnType<typeof signUpAt>>;

async function hasDiscount(account: Account) {
  return (await send(account, readInvitationOffer, {})).body.hasDiscount;
}

async function confirm(shop: Shop, email: string): Promise<void> {
  const mail = (await queuedEmails(shop)).filter(({ to }) => to === email).at(-1);
  if (!mail) throw new Error(`There is no mail to ${email}.`);
  await createVisitor(shop).call(confirmAddress, { body: { token: tokenIn(mail) } });
}

test("an unconfirmed account with another spelling of the invited address can't take the invitation", async ({
  shop,
}) => {
  const ada = await member(shop);
  await ada.call(inviteFriend, { body: { email: "vic@example.com" } });
  const thief = await signUpAt(shop.url, "vic+zz@example.com", "buyer");
  const vic = await signUpAt(shop.url, "vic@example.com", "buyer");
  expect(await hasDiscount(vic)).toBe(true);
  await confirm(shop, "vic@example.com");
  expect(await hasDiscount(vic)).toBe(true);
  await confirm(shop, "vic+zz@example.com");
  expect(await hasDiscount(thief)).toBe(false);
});

test("older unconfirmed accounts with other spellings of the invited address, even deleted ones, don't prevent the friend's discount", async ({
  shop,
}) => {
  const ada = await member(shop);
  await signUpAt(shop.url, "wim+zz@example.com", "buyer");
  const gone = await signUpAt(shop.url, "wim+yy@example.com", "buyer");
  await send(gone, deleteAccount, {});
  await ada.call(inviteFriend, { body: { email: "wim@example.com" } });
  const mails = (await queuedEmails(shop)).filter(({ to }) => to === "wim@example.com");
  expect(mails.map(({ text }) => text).join()).toContain("invite=");
  const wim = await signUpAt(shop.url, "wim@example.com", "buyer");
  expect(await hasDiscount(wim)).toBe(true);
});

test("accounts that share a mailbox and join before any is confirmed get only one discount", async ({
  shop,
}) => {
  const { code } = await (await member(shop)).call(readOwnInvitations, {});
  const accounts: Account[] = [];
  for (const tag of ["", "+1", "+2"]) {
    const account = await signUpAt(shop.url, `zoe${tag}@example.com`, "buyer");
    await send(account, acceptInvitation, { body: { code } });
    accounts.push(account);
  }
  for (const tag of ["", "+1", "+2"]) await confirm(shop, `zoe${tag}@example.com`);
  expect(await Promise.all(accounts.map(hasDiscount))).toEqual([true, false, false]);
});
