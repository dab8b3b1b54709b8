import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished } from "vitest";
import { send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import {
  acceptInvitation,
  inviteFriend,
  readInvitationOffer,
  readOwnInvitations,
} from "#contract/invitations.ts";
import { upsertMember } from "#contract/members.ts";
import { findProviderAccounts, updateUser } from "../../adapters/identity/testing.ts";
import { providerTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { connect, openBrowser, signUpAt, signUpIn } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { freePort } from "../../testing/free-port.ts";
import { openOidcProvider } from "../../testing/oidc-provider.ts";
import { createVisitor, member } from "../../testing/people.ts";
import {
  chooseAtOidc,
  continueWithOidc,
  googleAddress,
  openCallback,
  providerAddress,
  startProviderSignIn,
} from "../../testing/provider-sign-in.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { totp } from "../../testing/totp.ts";
import { signUpWithApp } from "../../testing/two-factor.ts";

const port = await freePort();
const provider = await openOidcProvider(`http://127.0.0.1:${port}`);
const test = shopTest({ sandbox: true, env: { PORT: String(port), ...provider.settings } });

function ada(email: string, { sub = email, verified = true } = {}) {
  return { sub, name: "Ada Lovelace", email, verified };
}

async function joinAs(shop: Shop, { name, email }: { name: string; email: string }) {
  const browser = openBrowser(shop.url);
  expect(await continueWithOidc(browser, ada(email))).toBe("");
  await send(browser.connection, upsertMember, { body: { name, email, accountType: "buyer" } });
  return await connect(browser, email);
}

describe("continuing with an OpenID provider", () => {
  test("a new OpenID member can use an emailed invitation or the code from an invitation link", async ({
    shop,
  }) => {
    const inviter = await member(shop);
    // Two friends at one domain would need an admin's approval (decisions/rewards).
    const [invited, byLink] = [ada("invited@acme.test"), ada("by-link@other.test")];
    await inviter.call(inviteFriend, { body: { email: invited.email } });
    const offered = { hasDiscount: true };
    const mailed = await joinAs(shop, invited);
    expect((await send(mailed, readInvitationOffer, {})).body).toEqual(offered);
    const { code } = await inviter.call(readOwnInvitations, {});
    const linked = await joinAs(shop, byLink);
    expect((await send(linked, readInvitationOffer, {})).body).toEqual({ hasDiscount: false });
    await send(linked, acceptInvitation, { body: { code } });
    expect((await send(linked, readInvitationOffer, {})).body).toEqual(offered);
  });

  test("GET /config lists the OpenID provider after Google", async ({ shop }) => {
    expect(await createVisitor(shop).call(readConfig, {})).toMatchObject({
      signInProviders: [
        { id: "google", label: "Google" },
        { id: "oidc", label: "Acme" },
      ],
    });
  });

  test("an OpenID sign-in uses an account chooser, PKCE, state and nonce", async ({ shop }) => {
    const address = await providerAddress(openBrowser(shop.url), "oidc");
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
      response_type: "code",
      client_id: provider.client.clientId,
      redirect_uri: `${shop.url}/api/auth/callback/oidc`,
      scope: "openid email profile",
      prompt: "select_account",
      state: expect.stringMatching(/^.{20,}$/),
      nonce: expect.stringMatching(/^.{20,}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  test("repeated OpenID sign-ins by one person use the same account and store no tokens", async ({
    shop,
  }) => {
    const person = ada("again@acme.test");
    for (const browser of [openBrowser(shop.url), openBrowser(shop.url)]) {
      expect(await continueWithOidc(browser, person)).toBe("");
      const { name, email } = person;
      expect(await browser.user()).toMatchObject({ name, email });
    }
    expect(await findProviderAccounts(shop.deps.db, person.email)).toMatchObject([
      {
        providerId: "oidc",
        accountId: `${provider.issuer} ${person.sub}`,
        accessToken: null,
        refreshToken: null,
        idToken: null,
      },
    ]);
  });

  test("people with the same id at two OpenID issuers get separate accounts", async ({ shop }) => {
    const otherPort = await freePort();
    const other = await openOidcProvider(`http://127.0.0.1:${otherPort}`);
    onTestFinished(() => other.close());
    const env = { PORT: String(otherPort), ...other.settings };
    const moved = await openShop({ beside: shop, env });
    onTestFinished(() => moved.close());
    expect(await continueWithOidc(openBrowser(shop.url), ada("one@acme.test", { sub: "1" }))).toBe(
      "",
    );
    const browser = openBrowser(moved.url);
    expect(await continueWithOidc(browser, ada("two@acme.test", { sub: "1" }))).toBe("");
    expect(await browser.user()).toMatchObject({ email: "two@acme.test" });
  });

  test("an OpenID sign-in asks for a code if two-step verification is on", async ({ shop }) => {
    const { email, secret } = await signUpWithApp(shop.url, "app@acme.test");
    await updateUser(shop.deps.db, email, { emailVerified: true });
    const browser = openBrowser(shop.url);
    expect(await continueWithOidc(browser, ada(email))).toBe("second_step_required");
    expect(await browser.user()).toBeUndefined();
    await browser.post("/two-factor/verify-totp", { code: totp(secret) });
    expect(await browser.user()).toMatchObject({ email });
  });

  test("an OpenID sign-in accepts the provider's new signing key immediately", async ({ shop }) => {
    expect(await continueWithOidc(openBrowser(shop.url), ada("before@acme.test"))).toBe("");
    await provider.rotateKeys();
    expect(await continueWithOidc(openBrowser(shop.url), ada("after@acme.test"))).toBe("");
  });
});

describe("a rejected OpenID sign-in", () => {
  test("an OpenID sign-in with an unverified or missing address is rejected", async ({ shop }) => {
    const unverified = ada("unverified@acme.test", { verified: false });
    expect(await continueWithOidc(openBrowser(shop.url), unverified)).toBe("email_not_verified");
    const nameless = { sub: "nameless", name: "Ada Lovelace" };
    expect(await continueWithOidc(openBrowser(shop.url), nameless)).toBe("email_not_found");
  });

  test("an OpenID sign-in can't take over an unconfirmed password account", async ({ shop }) => {
    const email = "victim@acme.test";
    await signUpIn(shop.url, email);
    expect(await continueWithOidc(openBrowser(shop.url), ada(email))).toBe("account_not_linked");
  });

  test("an OpenID callback is rejected in another browser, even with that browser's state", async ({
    shop,
  }) => {
    const thief = openBrowser(shop.url);
    const stolen = await chooseAtOidc(
      await providerAddress(openBrowser(shop.url), "oidc"),
      ada("stolen@acme.test"),
    );
    expect(await openCallback(thief, stolen)).toBe("state_mismatch");
    const own = new URL(await providerAddress(thief, "oidc"));
    const injected = new URL(stolen);
    injected.searchParams.set("state", own.searchParams.get("state") ?? "");
    expect(await openCallback(thief, injected.href)).toBe("invalid_code");
    expect(await thief.user()).toBeUndefined();
  });

  test("an OpenID callback is rejected if it names another issuer or the sign-in started with another provider", async ({
    shop,
  }) => {
    const browser = openBrowser(shop.url);
    const started = new URL(await googleAddress(browser));
    const callback = new URL(
      await chooseAtOidc(
        await providerAddress(openBrowser(shop.url), "oidc"),
        ada("mix@acme.test"),
      ),
    );
    callback.searchParams.set("state", started.searchParams.get("state") ?? "");
    const asked = provider.requests.length;
    expect(await openCallback(browser, callback.href)).toBe("invalid_code");
    expect(provider.requests.slice(asked)).toEqual([]);

    const own = await chooseAtOidc(await providerAddress(browser, "oidc"), ada("mix@acme.test"));
    const misled = own.replace(encodeURIComponent(provider.issuer), "https%3A%2F%2Fevil.example");
    expect(misled).not.toBe(own);
    expect(await openCallback(browser, misled)).toBe("issuer_mismatch");
  });

  test("an ID token sent by the browser is rejected", async ({ shop }) => {
    const body = { provider: "oidc", idToken: { token: "of.another.visit" } };
    const refused = await openBrowser(shop.url).post("/sign-in/social", body);
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({ code: "ID_TOKEN_NOT_SUPPORTED" });
  });

  test("OpenID sign-in fails if the user info and the ID token identify different people", async ({
    shop,
  }) => {
    onTestFinished(() => provider.setOutage());
    provider.setOutage(({ url }, response) => {
      if (url !== "/me") return false;
      response.setHeader("content-type", "application/json");
      const info = { sub: "somebody else", email: "root@acme.test", email_verified: true };
      response.end(JSON.stringify(info));
      return true;
    });
    const browser = openBrowser(shop.url);
    expect(await continueWithOidc(browser, ada("me@acme.test"))).toBe("unable_to_get_user_info");
    expect(await browser.user()).toBeUndefined();
  });
});

describe("an outage of an OpenID provider", () => {
  const unreachable = {
    code: "UNAVAILABLE",
    message: "We can't reach Acme right now. Try again in a minute, or log in with your email.",
  };
  type Outage = Parameters<typeof provider.setOutage>[0];
  const outages: [string, NonNullable<Outage>][] = [
    ["redirects", (_, response) => response.writeHead(302, { location: "/x" }).end() !== undefined],
    ["names another issuer", answering({ issuer: "http://evil.example" })],
    ["uses another protocol", answering({ token_endpoint: "https://evil.example/token" })],
  ];
  function answering(changes: object): NonNullable<Outage> {
    const url = `${provider.issuer}/any`;
    const endpoints = { authorization_endpoint: url, token_endpoint: url, jwks_uri: url };
    const document = JSON.stringify({ issuer: provider.issuer, ...endpoints, ...changes });
    return (_, response) => response.end(document) !== undefined;
  }

  test("while the OpenID provider fails, starting a sign-in fails with a message, but people can sign up with a password", async ({
    shop,
  }) => {
    // Opens a new node, because it has not read the discovery document yet. The timeout is long, so
    // that a sign-up that waited for the provider would never end.
    const config = { providerTimeouts: { ...providerTimeouts, signIn: 600_000 } };
    const node = await openShop({ beside: shop, env: provider.settings, config });
    onTestFinished(() => node.close());
    onTestFinished(() => provider.setOutage());
    const browser = openBrowser(node.url);
    for (const [what, outage] of outages) {
      provider.setOutage(outage);
      const refused = await startProviderSignIn(browser, "oidc");
      expect([what, refused.status]).toEqual([what, 503]);
      expect(await refused.json(), what).toMatchObject(unreachable);
      await signUpAt(node.url, `${crypto.randomUUID()}@acme.test`, "buyer");
    }
    const asked = new Promise<ServerResponse>((arrived) => {
      provider.setOutage((_, response) => {
        arrived(response);
        return true;
      });
    });
    const starting = startProviderSignIn(browser, "oidc");
    const unanswered = await asked;
    await signUpAt(node.url, `${crypto.randomUUID()}@acme.test`, "buyer");
    unanswered.destroy();
    expect((await starting).status).toBe(503);
    provider.setOutage();
    expect((await startProviderSignIn(browser, "oidc")).status).toBe(200);
  });

  test.for(["/token", "/jwks", "/me"])(
    "OpenID sign-in fails while the provider's %s returns a web page, and succeeds after the outage",
    async (path, { shop }) => {
      const browser = openBrowser(shop.url);
      const address = await providerAddress(browser, "oidc");
      const callback = await chooseAtOidc(address, ada("outage@acme.test"));
      if (path === "/jwks") await provider.rotateKeys();
      onTestFinished(() => provider.setOutage());
      provider.setOutage(
        ({ url }, response) => url === path && response.end("<!doctype html>") !== undefined,
      );
      expect(await openCallback(browser, callback)).toMatch(
        /^(invalid_code|unable_to_get_user_info)$/,
      );
      expect(await browser.user()).toBeUndefined();
      provider.setOutage();
      expect(await continueWithOidc(browser, ada("outage@acme.test"))).toBe("");
    },
  );
});
