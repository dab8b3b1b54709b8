import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "#contract/client.ts";
import { issueToken, joinAsMember } from "#contract/members.ts";
import { testClock } from "../../testing/clock.ts";
import { errorOf } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import type { Identity } from "./port.ts";
import { testIdentity } from "./suite.ts";

// These tests run against the Auth emulator (`npm run test:firebase`).
const project = "demo-secondlap";
const host = String(process.env.FIREBASE_AUTH_EMULATOR_HOST);
const toolkit = `http://${host}/identitytoolkit.googleapis.com/v1`;

let shop: Shop;
const clock = runningClock();

beforeAll(async () => {
  shop = await openShop({
    clock,
    env: {
      DEMO: "0",
      FIREBASE_PROJECT_ID: project,
      FIREBASE_API_KEY: "any key",
      FIREBASE_AUTH_DOMAIN: "demo-secondlap.firebaseapp.com",
      FIREBASE_AUTH_EMULATOR_HOST: host,
    },
  });
});
afterAll(() => shop.close());

/** A running clock, because the emulator's tokens use real time. */
function runningClock() {
  const { now, ...clock } = testClock(new Date(0));
  return { ...clock, now: () => new Date(now().getTime() + Date.now()) };
}

async function ask(url: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer owner" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, string>;
}

let lastSignIn = 0;

async function signIn(email: string, password: string): Promise<Headers> {
  // Firebase distinguishes an account's sign-ins only by the second.
  await wait(Math.max(0, lastSignIn + 1_000 - Date.now()));
  const { idToken } = await ask(`${toolkit}/accounts:signInWithPassword?key=any`, {
    email,
    password,
    returnSecureToken: true,
  });
  lastSignIn = Date.now();
  return new Headers({ authorization: `Bearer ${idToken}` });
}

describe("Firebase Auth as the identity service", () => {
  testIdentity(() => ({
    identity: shop.deps.identity as Required<Identity>,
    db: shop.deps.db,
    advance: (minutes) => clock.advance(minutes),
    signUp: async (email, password) =>
      void (await ask(`${toolkit}/accounts:signUp?key=any`, { email, password })),
    signIn,
  }));
});

async function member(email: string, password = "Secret#2026") {
  const token = (await signIn(email, password)).get("authorization")?.slice("Bearer ".length);
  return { host: `${shop.url}/api`, fetch, token: () => token };
}

const notSignedIn = { status: 401, code: "NOT_SIGNED_IN" };

test("an unverified password account can join, and loses access when its sign-in is revoked", async () => {
  const [email, password] = ["eve@example.com", "Secret#2026"];
  const { localId } = await ask(`${toolkit}/accounts:signUp?key=any`, { email, password });
  const eve = await member(email);
  const body = { name: "Eve", email, accountType: "seller" } as const;
  expect((await send(eve, joinAsMember, { body })).status).toBe(201);
  const issue = (by: typeof eve) => send(by, issueToken, { query: { email } });
  expect((await issue(eve)).status).toBe(200);
  await wait(1_000);
  const validSince = String(Math.ceil(Date.now() / 1_000));
  await ask(`${toolkit}/projects/${project}/accounts:update`, { localId, validSince });
  expect(await errorOf(issue(eve))).toMatchObject(notSignedIn);
});
