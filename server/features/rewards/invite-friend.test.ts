import { expect } from "vitest";
import { send } from "#contract/client.ts";
import { inviteFriend, readInvitationOffer } from "#contract/invitations.ts";
import { signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { queuedEmails } from "../../testing/inbox.ts";
import { errorOf, member } from "../../testing/people.ts";
import { addPoints } from "../../testing/rate-limits.ts";
import { invitationsOf } from "../../testing/rewards.ts";
import type { Shop } from "../../testing/shop.ts";
import { rewardInvitations } from "./reward-invitations.ts";

const test = shopTest({ env: { RATE_LIMIT: "on" } });

const mailsTo = async (shop: Shop, email: string) =>
  (await queuedEmails(shop)).filter(({ to }) => to === email);

test("§10.3: the invitation email has a sign-up link but not the inviter's name, and an existing member gets no email", async ({
  shop,
}) => {
  const [ada, someone] = [await member(shop), await member(shop)];
  await ada.call(inviteFriend, { body: { email: someone.email } });
  await ada.call(inviteFriend, { body: { email: "friend@example.com" } });
  const [email] = await mailsTo(shop, "friend@example.com");
  expect(JSON.stringify(email)).not.toContain(ada.name);
  expect(email?.text).toContain("/signup?email=friend%40example.com&invite=");
  expect(email?.text).toContain("15% off your first purchase over $200, up to $150");
  expect(await mailsTo(shop, someone.email)).toEqual([]);
});

test("an address can be invited at most three times a day, and a member can invite at most ten times a day", async ({
  shop,
}) => {
  const invite = async (email: string, by: Awaited<ReturnType<typeof member>>) =>
    await errorOf(by.call(inviteFriend, { body: { email } })).catch(() => "sent");
  const ada = await member(shop);
  for (let sent = 0; sent < 3; sent += 1)
    expect(await invite("popular@example.com", await member(shop))).toBe("sent");
  expect(await invite("popular@example.com", ada)).toMatchObject({ status: 429 });
  for (let sent = 0; sent < 9; sent += 1)
    expect(await invite(`friend${sent}@example.com`, ada)).toBe("sent");
  expect(await invite("another@example.com", ada)).toMatchObject({ status: 429 });
});

test("all accounts on one network together can send at most thirty invitations a day", async ({
  shop,
}) => {
  await shop.deps.db.deleteFrom("rate_limits").execute();
  const invite = async (name: string) =>
    (await member(shop)).call(inviteFriend, { body: { email: `${name}@example.com` } });
  await invite("first");
  await addPoints(shop, "invitations from a network", 28);
  await invite("thirtieth");
  expect(await errorOf(invite("one.more"))).toMatchObject({ status: 429 });
  await shop.deps.db.deleteFrom("rate_limits").execute();
});

test("an address gets only one invitation email ever, whoever invites it and however it is spelled", async ({
  shop,
}) => {
  const [ada, bob] = [await member(shop), await member(shop)];
  await ada.call(inviteFriend, { body: { email: "gil.ly+home@gmail.com" } });
  for (const email of ["gilly@gmail.com", "gil.ly+home@gmail.com", "g.illy@googlemail.com"])
    expect(await bob.call(inviteFriend, { body: { email } })).toEqual({ acknowledged: true });
  expect(await mailsTo(shop, "gilly@gmail.com")).toEqual([]);
  expect(await mailsTo(shop, "gil.ly+home@gmail.com")).toHaveLength(1);
  // Bob sees his invitation as sent, so he can't tell that Ada invited the address first.
  expect(await invitationsOf(bob)).toMatchObject([
    { shownAs: "gi•••@gmail.com", state: "sent", earned: 0 },
  ]);
});

test("a friend who signs up with the invited address within 30 days, in any browser, gets the discount", async ({
  shop,
}) => {
  const ada = await member(shop);
  const body = { email: "hana@example.com" };
  await ada.call(inviteFriend, { body });
  const hana = await signUpAt(shop.url, "hana@example.com", "buyer");
  expect((await send(hana, readInvitationOffer, {})).body).toEqual({ hasDiscount: true });
  expect(await invitationsOf(ada)).toMatchObject([{ state: "joined" }]);
  await ada.call(inviteFriend, { body: { email: "late@example.com" } });
  shop.clock.advance(31 * 24 * 60);
  const late = await signUpAt(shop.url, "late@example.com", "buyer");
  expect((await send(late, readInvitationOffer, {})).body).toEqual({ hasDiscount: false });
  await rewardInvitations(shop.deps);
  const states = (await invitationsOf(ada)).map(({ state }) => state);
  expect(states.sort()).toEqual(["expired", "joined"]);
});
