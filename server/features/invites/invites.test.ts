import { expect } from "vitest";
import { inviteFriend } from "#contract/invites.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { mailsTo, waitForMail } from "../../testing/inbox.ts";
import { createMember, errorOf } from "../../testing/people.ts";

const test = shopTest({ sandbox: true, worker: true, env: { RATE_LIMIT: "on" } });

test("§10.3: an invited friend gets a sign-up link without the inviter's name; an existing member gets no email", async ({
  shop,
}) => {
  const [ada, member] = [await createMember(shop), await createMember(shop)];
  await ada.call(inviteFriend, { body: { email: member.email } });
  await ada.call(inviteFriend, { body: { email: "friend@example.com" } });
  const email = await waitForMail(shop, "friend@example.com");
  expect(JSON.stringify(email)).not.toContain(ada.name);
  expect(email.text).toContain("/signup?email=friend%40example.com");
  expect(await mailsTo(shop, member.email)).toEqual([]);
});

test("an address gets at most three invitations a day, and a member sends at most ten", async ({
  shop,
}) => {
  const invite = async (email: string, by: Awaited<ReturnType<typeof createMember>>) =>
    await errorOf(by.call(inviteFriend, { body: { email } })).catch(() => "sent");
  const ada = await createMember(shop);
  for (let sent = 0; sent < 3; sent += 1)
    expect(await invite("popular@example.com", await createMember(shop))).toBe("sent");
  expect(await invite("popular@example.com", ada)).toMatchObject({ status: 429 });
  for (let sent = 0; sent < 9; sent += 1)
    expect(await invite(`friend${sent}@example.com`, ada)).toBe("sent");
  expect(await invite("another@example.com", ada)).toMatchObject({ status: 429 });
});
