import { describe, expect } from "vitest";
import { send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { isSeller, joinAsMember, upsertMember } from "#contract/members.ts";
import {
  findProviderAccounts,
  findUser,
  replaceInVerifications,
} from "../../adapters/identity/testing.ts";
import {
  type Browser,
  connect,
  logIn,
  openBrowser,
  signUpAt,
  signUpIn,
  signUpName,
} from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { tokenIn, waitForMailAbout } from "../../testing/inbox.ts";
import { createVisitor } from "../../testing/people.ts";
import {
  chooseAtGoogle,
  continueWithGoogle,
  googleAddress,
} from "../../testing/provider-sign-in.ts";
import { openShop, type Shop } from "../../testing/shop.ts";

const test = shopTest({ sandbox: true, worker: true });

const open = (shop: Shop) => openBrowser(shop.url);

function ada(email: string, { verified = true, name = "Ada Lovelace" } = {}) {
  return { name, email, verified };
}

async function join({ connection }: Browser, { name, email }: { name: string; email: string }) {
  const body = { name, email, accountType: "buyer" as const };
  return (await send(connection, upsertMember, { body })).body;
}

async function rolesOf(browser: Browser, email: string) {
  return (await send(await connect(browser, email), isSeller, { params: { email } })).body;
}

async function membersWith(shop: Shop, email: string) {
  return await shop.deps.db
    .selectFrom("members")
    .select(["account_type", "name"])
    .where("email", "=", email)
    .execute();
}

async function resetPassword(shop: Shop, email: string, newPassword: string): Promise<void> {
  await open(shop).post("/request-password-reset", { email });
  const token = tokenIn(await waitForMailAbout(shop, email, /^Set a new password/));
  expect((await open(shop).post("/reset-password", { token, newPassword })).status).toBe(200);
}

describe("continuing with Google", () => {
  test("continuing with Google creates one buyer account for a new person, and stores neither Google's tokens nor picture", async ({
    shop,
  }) => {
    const person = ada("new@gmail.test");
    for (const joined of [{ upsertedId: expect.any(String) }, { matchedCount: 1 }]) {
      const browser = open(shop);
      expect(await continueWithGoogle(browser, person)).toBe("");
      expect(await browser.user()).toMatchObject({ name: person.name, email: person.email });
      expect(await join(browser, person)).toMatchObject(joined);
      expect(await rolesOf(browser, person.email)).toEqual({
        isSeller: false,
        verify: false,
        alsoBuys: false,
      });
    }
    expect(await membersWith(shop, person.email)).toHaveLength(1);
    const { db } = shop.deps;
    const nothing = { accessToken: null, refreshToken: null, idToken: null, password: null };
    expect(await findProviderAccounts(db, person.email)).toMatchObject([nothing]);
    expect(await findUser(db, person.email)).toMatchObject({ image: null });
  });

  test("a Google name that contains a URL is not used as the member's name", async ({ shop }) => {
    const browser = openBrowser(shop.url);
    const person = ada("grace.hopper+1@gmail.example", { name: "Verify at https://evil.example" });
    expect(await continueWithGoogle(browser, person)).toBe("");
    expect(await browser.user()).toMatchObject({ name: "grace hopper 1", email: person.email });
  });

  test("a Google name that contains a phone number is not used as the member's name", async ({
    shop,
  }) => {
    for (const [email, name] of [
      ["anna.smith@gmail.example", "anna smith"],
      ["503.555.0100@gmail.example", "Member"],
    ] as const) {
      const browser = open(shop);
      expect(await continueWithGoogle(browser, ada(email, { name: "Anna 503 555 0100" }))).toBe("");
      expect(await browser.user()).toMatchObject({ name });
      await join(browser, { name, email });
      expect(await membersWith(shop, email)).toMatchObject([{ name }]);
    }
  });

  test("continuing with Google doesn't change a seller's role or chosen name", async ({ shop }) => {
    const email = "seller@gmail.test";
    await signUpAt(shop.url, email, "seller");
    await resetPassword(shop, email, "Chosen#2026");
    const browser = open(shop);
    expect(await continueWithGoogle(browser, ada(email))).toBe("");
    const { name = "" } = (await browser.user()) ?? {};
    expect(await join(browser, { name, email })).toMatchObject({ matchedCount: 1 });
    expect(await rolesOf(browser, email)).toMatchObject({ isSeller: true });
    expect(await membersWith(shop, email)).toEqual([{ account_type: "seller", name: signUpName }]);
  });

  test("continuing with Google signs in to an account that the shop created with a verified email address", async ({
    shop,
  }) => {
    const person = { name: "Demo Seller", email: "demo-seller@demo.test", password: "Demo#2026" };
    const enrolled = await shop.deps.identity.createAccount?.(person);
    const browser = open(shop);
    expect(await continueWithGoogle(browser, ada(person.email))).toBe("");
    expect(await browser.user()).toMatchObject({ id: enrolled?.uid, name: "Demo Seller" });
  });

  test("a person can continue with Google on localhost", async ({ shop }) => {
    const url = shop.url.replace("127.0.0.1", "localhost");
    const browser = openBrowser(url);
    const address = await googleAddress(browser);
    expect(new URL(address).searchParams.get("redirect_uri")).toBe(
      `${url}/api/auth/callback/google`,
    );
    const done = await chooseAtGoogle(browser, address, ada("local@gmail.test"));
    expect(done.href).toBe(`${url}/auth/done`);
    expect(await browser.user()).toMatchObject({ email: "local@gmail.test" });
  });

  test("GET /config lists Google and has the inbox's URL if the shop uses the sandbox", async ({
    shop,
  }) => {
    const told = await createVisitor(shop).call(readConfig, {});
    expect(told).toMatchObject({
      signInProviders: [{ id: "google", label: "Google" }],
      mailInboxUrl: `${shop.sandbox?.url}/mail`,
    });
    const bare = await openShop();
    expect(await createVisitor(bare).call(readConfig, {})).toMatchObject({
      signInProviders: [],
      mailInboxUrl: null,
    });
    await bare.close();
  });
});

describe("a password account with the same email address as a Google account", () => {
  test("Google sign-in isn't linked to a password account with an unverified address, because a stranger may have created the account", async ({
    shop,
  }) => {
    const email = "victim@gmail.test";
    const attacker = await signUpIn(shop.url, email);
    const body = { name: "Victim", email, accountType: "buyer" as const };
    await send(attacker.connection, joinAsMember, { body });

    const victim = open(shop);
    expect(await continueWithGoogle(victim, ada(email))).toBe("account_not_linked");
    expect(await victim.user()).toBeUndefined();
    expect(await attacker.user()).toMatchObject({ email });
  });

  test("if a stranger signed up with someone's address, a reset link locks the stranger out and lets the owner use Google", async ({
    shop,
  }) => {
    const email = "owner@gmail.test";
    const attacker = await signUpIn(shop.url, email);
    await resetPassword(shop, email, "Owner#2026");

    const owner = open(shop);
    expect(await continueWithGoogle(owner, ada(email))).toBe("");
    expect(await owner.user()).toMatchObject({ email });
    expect(await attacker.user()).toBeUndefined();
    expect((await logIn(shop.url, email)).status).toBe(401);
  });

  test("a Google account with an unverified email address can't sign in to the shop account with that address", async ({
    shop,
  }) => {
    const email = "unverified@gmail.test";
    const pretender = ada(email, { verified: false });
    await signUpIn(shop.url, email);
    expect(await continueWithGoogle(open(shop), pretender)).toBe("account_not_linked");
    await resetPassword(shop, email, "Owner#2026");
    expect(await continueWithGoogle(open(shop), pretender)).toBe("account_not_linked");
    // The unverified Google account is rejected even after the address's owner has used Google.
    expect(await continueWithGoogle(open(shop), ada(email))).toBe("");
    expect(await continueWithGoogle(open(shop), pretender)).toBe("email_not_verified");
  });
});

describe("a Google account's email address", () => {
  test("a Google sign-in with an unverified address creates no account", async ({ shop }) => {
    const email = "pretender@gmail.test";
    const browser = open(shop);
    const pretending = await continueWithGoogle(browser, ada(email, { verified: false }));
    expect(pretending).toBe("email_not_verified");
    expect(await browser.user()).toBeUndefined();
    expect(await continueWithGoogle(open(shop), ada(email))).toBe("");
  });

  test("a reset link can add a password to a Google account, but a sign-up can't", async ({
    shop,
  }) => {
    const email = "google-first@gmail.test";
    await continueWithGoogle(open(shop), ada(email));
    const intruder = await open(shop).post("/sign-up/email", {
      name: "Mallory",
      email,
      password: "Secret#2026",
    });
    expect(intruder.status).toBe(422);
    expect(await intruder.json()).toMatchObject({
      code: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
    });
    await resetPassword(shop, email, "Owner#2026");
    const { browser: owner } = await logIn(shop.url, email, { password: "Owner#2026" });
    expect(await owner.user()).toMatchObject({ email, name: "Ada Lovelace" });
  });
});

describe("Google's callback", () => {
  test("Google's callback works only once, and only in the browser that started the sign-in", async ({
    shop,
  }) => {
    const browser = open(shop);
    const address = await googleAddress(browser);
    const stranger = await chooseAtGoogle(open(shop), address, ada("lured@gmail.test"));
    expect(stranger.pathname).toBe("/auth/done");
    expect(stranger.searchParams.get("error")).toBe("state_mismatch");
    await chooseAtGoogle(browser, address, ada("own@gmail.test"));
    expect(await browser.user()).toMatchObject({ email: "own@gmail.test" });
    const again = await chooseAtGoogle(browser, address, ada("other@gmail.test"));
    expect(again.searchParams.get("error")).toBe("state_mismatch");
    expect(await browser.user()).toMatchObject({ email: "own@gmail.test" });
  });

  test.for(["callbackURL", "errorCallbackURL", "newUserCallbackURL"])(
    "Google sign-in rejects a %s that is not a page on this site",
    async (field, { shop }) => {
      const elsewhere = ["https://evil.example/done", "/..//evil.example", "//evil.example", ["/"]];
      for (const url of [...elsewhere, "/.//evil.example/", "/\\evil.example", "javascript:0"]) {
        const body = { provider: "google", callbackURL: "/auth/done", [field]: url };
        const answer = await open(shop).post("/sign-in/social", body);
        expect(answer.status).toBe(403);
        const message = "Signing in can only return you to a page of this site.";
        expect(await answer.json()).toMatchObject({ code: "FORBIDDEN", message });
      }
    },
  );

  test("a tampered sign-in state can't redirect to another site", async ({ shop }) => {
    const browser = open(shop);
    const address = await googleAddress(browser);
    await replaceInVerifications(shop.deps.db, {
      from: '"errorURL":"/auth/done"',
      to: '"errorURL":"/..//evil.example"',
    });
    const chosen = await fetch(address, {
      method: "POST",
      body: new URLSearchParams({ cancel: "1" }),
      redirect: "manual",
    });
    const answer = await browser.visit(chosen.headers.get("location") ?? "");
    expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
  });
});
