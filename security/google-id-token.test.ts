import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  importJWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterEach, expect, vi } from "vitest";
import { openBrowser } from "#server/testing/browser.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { continueWithGoogle } from "#server/testing/provider-sign-in.ts";
import type { Shop } from "#server/testing/shop.ts";

const test = shopTest({ sandbox: true }).extend("googles", { scope: "file" }, ({ shop }) =>
  readGoogleKey(shop),
);

afterEach(() => vi.restoreAllMocks());

const { privateKey: strangers } = await generateKeyPair("RS256");

async function readGoogleKey(shop: Shop): Promise<CryptoKey> {
  // The sandbox creates its key on first use.
  await fetch(`${shop.sandbox?.url}/google/oauth2/v3/certs`);
  const file = join(shop.deps.config.dataDir, "sandbox", "google-key.json");
  return (await importJWK(JSON.parse(readFileSync(file, "utf8")), "RS256")) as CryptoKey;
}

type Forgery = { claims?: JWTPayload; key?: CryptoKey };

async function forged(
  googles: CryptoKey,
  token: string,
  { claims = {}, key = googles }: Forgery,
): Promise<string> {
  const header = decodeProtectedHeader(token);
  const said = { ...decodeJwt(token), ...claims };
  return await new SignJWT(said).setProtectedHeader({ ...header, alg: "RS256" }).sign(key);
}

/** Signs in with Google. `tamper` changes the ID token from Google's token endpoint. */
async function letIn(shop: Shop, tamper: (token: string) => string | Promise<string>) {
  const ask = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const answer = await ask(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (pathname !== "/google/token") return answer;
    const told = (await answer.json()) as { id_token: string };
    return Response.json({ ...told, id_token: await tamper(told.id_token) });
  });
  const browser = openBrowser(shop.url);
  const email = `${crypto.randomUUID()}@gmail.test`;
  const error = await continueWithGoogle(browser, { name: "Ada", email, verified: true });
  const user = await browser.user();
  return { error, isIn: user?.email === email, email };
}

test("an ID token signed by Google is accepted", async ({ shop, googles }) => {
  expect(await letIn(shop, (token) => forged(googles, token, {}))).toMatchObject({
    error: "",
    isIn: true,
  });
});

const past = Math.floor(Date.now() / 1_000) - 3_600;
const forgeries: [string, () => Forgery][] = [
  ["another key", () => ({ key: strangers })],
  ["another issuer", () => ({ claims: { iss: "https://accounts.elsewhere.test" } })],
  ["another audience", () => ({ claims: { aud: "somebody-elses-client" } })],
  ["another sign-in's nonce", () => ({ claims: { nonce: "of another sign-in" } })],
  ["no nonce", () => ({ claims: { nonce: undefined } })],
  ["an expiry in the past", () => ({ claims: { exp: past, iat: past - 3_600 } })],
];
test.for(forgeries)("an ID token with %s is rejected", async ([_, forgery], { shop, googles }) => {
  const { error, isIn } = await letIn(shop, (token) => forged(googles, token, forgery()));
  expect(isIn).toBe(false);
  expect(error).not.toBe("");
});

test("a rejected ID token is logged with the reason, but without the email address", async ({
  shop,
  googles,
}) => {
  const warn = vi.spyOn(shop.app.log, "warn");
  const claims = { aud: "somebody-elses-client" };
  const { email } = await letIn(shop, (token) => forged(googles, token, { claims }));
  const logged = JSON.stringify(warn.mock.calls);
  expect(logged).toContain('unexpected \\"aud\\" claim value');
  expect(logged).not.toContain(email);
});

test("an unsigned ID token is rejected", async ({ shop }) => {
  const { error, isIn } = await letIn(shop, (token) => new UnsecuredJWT(decodeJwt(token)).encode());
  expect(isIn).toBe(false);
  expect(error).not.toBe("");
});
