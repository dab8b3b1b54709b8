import { createHash, randomBytes } from "node:crypto";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "#sandbox/testing/browser.ts";
import { openRelyingParty } from "#sandbox/testing/relying-party.ts";
import { type RunningSandbox, startSandbox, temporaryDataDir } from "#sandbox/testing/sandbox.ts";

const dataDir = await temporaryDataDir();
const shop = await openRelyingParty();
const { redirectUri } = shop;
const clientId = "sandbox.apps.googleusercontent.test";
let sandbox: RunningSandbox;
let issuer: string;

beforeAll(async () => {
  sandbox = await startSandbox(dataDir.path, { redirectUri });
  issuer = `${sandbox.url}/google`;
});

afterAll(async () => {
  await sandbox.end("SIGTERM");
  shop.close();
  await dataDir.remove();
});

const verifier = randomBytes(48).toString("base64url");

/** The address a shop sends somebody to. */
function authorization(changes: Record<string, string> = {}): string {
  const asked = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid email profile",
    state: "a state",
    nonce: "a nonce",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...changes,
  };
  return `${issuer}/o/oauth2/v2/auth?${new URLSearchParams(asked)}`;
}

/** Chooses as the page's forms do; answers what the shop is told in its address. */
async function choose(choice: Record<string, string>): Promise<URLSearchParams> {
  const body = new URLSearchParams(choice);
  const answer = await fetch(authorization(), { method: "POST", body, redirect: "manual" });
  expect(answer.status).toBe(303);
  const back = new URL(answer.headers.get("location") ?? "");
  expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
  return back.searchParams;
}

async function redeem(code: string | null, changes: Record<string, string> = {}) {
  const asked = {
    grant_type: "authorization_code",
    code: code ?? "",
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: "sandbox_google_secret",
    code_verifier: verifier,
    ...changes,
  };
  const answer = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams(asked),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

const alex = { person: "alex.moreau@gmail.test" };

describe("an OpenID provider", () => {
  test("says where its parts are, all of them its own", async () => {
    const found = (await (
      await fetch(`${issuer}/.well-known/openid-configuration`)
    ).json()) as Record<string, unknown>;
    expect(found.issuer).toBe(issuer);
    const addresses = Object.entries(found).filter(([name]) => /(_endpoint|_uri)$/.test(name));
    expect(addresses).toHaveLength(4);
    for (const [, address] of addresses) expect(address).toMatch(new RegExp(`^${issuer}/`));
  });

  test("gives a signed token for a code, that says who was chosen and repeats the nonce", async () => {
    const said = await choose(alex);
    expect(said.get("state")).toBe("a state");
    expect(said.get("iss")).toBe(issuer);
    const { status, body } = await redeem(said.get("code"));
    expect(status).toBe(200);
    const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/v3/certs`));
    const { payload } = await jwtVerify(body.id_token ?? "", keys, { issuer, audience: clientId });
    expect(payload).toMatchObject({
      sub: expect.stringMatching(/^1\d{20}$/),
      email: "alex.moreau@gmail.test",
      email_verified: true,
      name: "Alex Moreau",
      nonce: "a nonce",
    });
    const headers = { authorization: `Bearer ${body.access_token}` };
    const person = await (await fetch(`${issuer}/v1/userinfo`, { headers })).json();
    expect(person).toMatchObject({ sub: payload.sub, email: payload.email });
  });

  test("takes a code once, from whoever asked for it, with their secret", async () => {
    const code = async () => (await choose(alex)).get("code");
    const once = await code();
    expect((await redeem(once)).status).toBe(200);
    expect(await redeem(once)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const wrong = [
      [{ code_verifier: "x".repeat(64) }, 400, "invalid_grant"],
      [{ redirect_uri: `${redirectUri}/` }, 400, "invalid_grant"],
      [{ client_secret: "guessed" }, 401, "invalid_client"],
      [{ grant_type: "password" }, 400, "unsupported_grant_type"],
    ] as const;
    for (const [changes, status, error] of wrong) {
      expect(await redeem(await code(), changes)).toMatchObject({ status, body: { error } });
    }
  });

  test("leads nobody anywhere for a shop or an address it does not know", async () => {
    for (const [changes, reason] of [
      [{ redirect_uri: "https://evil.example/callback" }, "redirect_uri_mismatch"],
      [{ redirect_uri: `${redirectUri}?x` }, "redirect_uri_mismatch"],
      [{ client_id: "another" }, "invalid_client"],
    ] as const) {
      const answer = await fetch(authorization(changes), { redirect: "manual" });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(reason);
    }
  });

  test("tells the shop what is wrong with its request", async () => {
    for (const changes of [
      { code_challenge_method: "plain" },
      { scope: "email" },
      { response_type: "token" },
    ]) {
      const answer = await fetch(authorization(changes), { redirect: "manual" });
      const back = new URL(answer.headers.get("location") ?? "");
      expect(back.searchParams.get("error")).toBe("invalid_request");
      expect(back.searchParams.get("state")).toBe("a state");
    }
  });

  test("cancelled, it says so and gives no code", async () => {
    const said = await choose({ cancel: "1" });
    expect(said.get("error")).toBe("access_denied");
    expect(said.get("code")).toBeNull();
  });

  test("signs with the same key after a restart", async () => {
    const own = await temporaryDataDir();
    const keys = async () => {
      const running = await startSandbox(own.path);
      const found = await (await fetch(`${running.url}/google/oauth2/v3/certs`)).text();
      await running.end("SIGTERM");
      return found;
    };
    expect(await keys()).toBe(await keys());
    await own.remove();
  });
});

test("in a browser, one chooses an account or names another, and is led back to the shop", async () => {
  const browser = await openBrowser();
  const page = await browser.newPage();
  const back = (said: string) =>
    page.waitForURL((url) => url.pathname === "/done" && url.search.includes(said));

  await page.goto(authorization());
  await page.getByRole("button", { name: "Sofia Brandt" }).click();
  await back("code=");

  await page.goto(authorization());
  await page.getByText("Use another account").click();
  await page.getByLabel("Name").fill("Ada Lovelace");
  await page.getByLabel("Email").fill("Ada@Example.com");
  await page.getByLabel("Google has verified this address").uncheck();
  await page.getByRole("button", { name: "Continue" }).click();
  await back("code=");
  const { body } = await redeem(new URL(page.url()).searchParams.get("code"));
  const [, claims = ""] = body.id_token?.split(".") ?? [];
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({
    name: "Ada Lovelace",
    email: "ada@example.com",
    email_verified: false,
  });

  await page.goto(authorization());
  await page.getByRole("button", { name: "Cancel" }).click();
  await back("error=access_denied");
  await browser.close();
});
