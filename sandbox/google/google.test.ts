import { createHash, randomBytes } from "node:crypto";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { sandboxForFile } from "#sandbox/testing/sandbox.ts";

const redirectUri = "http://127.0.0.1:9/callback";
const clientId = "sandbox.apps.googleusercontent.test";
const issuer = `${(await sandboxForFile({ redirectUri })).url}/google`;

const verifier = randomBytes(48).toString("base64url");

function authorization(changes: Record<string, string> = {}): string {
  const params = {
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
  return `${issuer}/o/oauth2/v2/auth?${new URLSearchParams(params)}`;
}

async function choose(choice: Record<string, string>): Promise<URLSearchParams> {
  const body = new URLSearchParams(choice);
  const answer = await fetch(authorization(), { method: "POST", body, redirect: "manual" });
  expect(answer.status).toBe(303);
  const back = new URL(answer.headers.get("location") ?? "");
  expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
  return back.searchParams;
}

async function redeem(code: string | null, changes: Record<string, string> = {}) {
  const params = {
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
    body: new URLSearchParams(params),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

const alex = { person: "alex.moreau@gmail.test" };

test("the OpenID provider publishes a discovery document with its own endpoints", async () => {
  const found = (await (
    await fetch(`${issuer}/.well-known/openid-configuration`)
  ).json()) as Record<string, unknown>;
  expect(found.issuer).toBe(issuer);
  const addresses = Object.entries(found).filter(([name]) => /(_endpoint|_uri)$/.test(name));
  expect(addresses).toHaveLength(3);
  for (const [, address] of addresses) expect(address).toMatch(new RegExp(`^${issuer}/`));
});

test("the OpenID provider exchanges a code for a signed ID token with the account's claims and the nonce", async () => {
  const query = await choose(alex);
  expect(query.get("state")).toBe("a state");
  expect(query.get("iss")).toBe(issuer);
  const { status, body } = await redeem(query.get("code"));
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
});

test("the OpenID provider accepts a code only once, and only with the matching PKCE verifier, redirect URI and client secret", async () => {
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

test("the OpenID provider does not redirect for an unknown client or redirect URI", async () => {
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

test("the OpenID provider redirects with invalid_request if the request is invalid", async () => {
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

test("the OpenID provider returns no code if the user cancels, and the entered account's claims if the user enters another account", async () => {
  const canceled = await choose({ cancel: "1" });
  expect(canceled.get("error")).toBe("access_denied");
  expect(canceled.get("code")).toBeNull();
  const entered = await choose({ name: "Ada Lovelace", email: "Ada@Example.com" });
  const { body } = await redeem(entered.get("code"));
  const claims = { name: "Ada Lovelace", email: "ada@example.com", email_verified: false };
  expect(decodeJwt(body.id_token ?? "")).toMatchObject(claims);
});
