import { expect, test } from "vitest";
import { signUpAt, signUpIn } from "../testing/browser.ts";
import { openShop, type Shop } from "../testing/shop.ts";

const [before, after] = ["the secret before, 32 characters", "the secret after, 32 characters!"];

test("SECRET can be changed node by node while every node accepts both secrets", async () => {
  const first = await openShop({ env: { SECRET: before, PREVIOUS_SECRET: after } });
  const second = await openShop({
    beside: first,
    env: { SECRET: after, PREVIOUS_SECRET: before },
  });
  const isSignedIn = async (shop: Shop, cookie: string) => {
    const answer = await fetch(`${shop.url}/api/auth/get-session`, { headers: { cookie } });
    return (await answer.json()) !== null;
  };
  const inboxStatus = async ({ url }: Shop, token: string) =>
    (await fetch(`${url}/api/messageInbox`, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  const moves: [Shop, Shop][] = [
    [first, second],
    [second, first],
  ];
  for (const [from, to] of moves) {
    const email = `${new URL(from.url).port}@example.com`;
    const browser = await signUpIn(from.url, `browser${email}`);
    expect(await isSignedIn(to, browser.cookies())).toBe(true);
    const member = await signUpAt(from.url, email, "buyer");
    expect(await inboxStatus(to, member.token())).toBe(200);
  }
  await second.close();
  const alone = await openShop({ beside: first, env: { SECRET: after } });
  const { cookies } = await signUpIn(first.url, "late@example.com");
  expect(await isSignedIn(alone, cookies())).toBe(false);
  await alone.close();
  await first.close();
});
