import { createServer } from "node:http";
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { testClock } from "../../testing/clock.ts";
import { freePort } from "../../testing/free-port.ts";
import { firebaseIdTokens } from "./firebase-id-token.ts";

const clock = testClock();
const projectId = "secondlap-test";
const keysUrl = `http://127.0.0.1:${await freePort()}/keys`;
const pairs = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
const [signing, stranger] = pairs.map(({ privateKey }) => privateKey) as [CryptoKey, CryptoKey];
let requests = 0;

/** Publishes the key, as Google does. */
const server = createServer(async (_, response) => {
  requests += 1;
  const { publicKey } = pairs[0] ?? {};
  const jwk = publicKey && {
    ...(await exportJWK(publicKey)),
    kid: "one",
    alg: "RS256",
    use: "sig",
  };
  response.end(JSON.stringify({ keys: [jwk] }));
});

beforeAll(
  () => new Promise<void>((up) => server.listen(Number(new URL(keysUrl).port), "127.0.0.1", up)),
);
afterAll(() => new Promise((down) => server.close(down)));
beforeEach(() => {
  requests = 0;
});

/** Claims to replace; undefined leaves one out. */
type Changes = Record<string, unknown>;

function claimsWith(changes: Changes = {}): JWTPayload {
  const now = Math.floor(clock.now().getTime() / 1_000);
  return {
    iss: `https://securetoken.google.com/${projectId}`,
    aud: projectId,
    sub: "a firebase user",
    iat: now - 60,
    exp: now + 3_540,
    auth_time: now - 120,
    email: "Ada@Example.com",
    email_verified: true,
    name: "Ada Lovelace",
    firebase: { sign_in_provider: "google.com" },
    ...changes,
  };
}

async function signed(changes: Changes = {}, key = signing, kid = "one"): Promise<string> {
  return await new SignJWT(claimsWith(changes)).setProtectedHeader({ alg: "RS256", kid }).sign(key);
}

const verifier = () => firebaseIdTokens({ projectId, clock, keysUrl });

test("accepts a token of the project, and fetches the keys once", async () => {
  const verify = verifier();
  for (const _ of [1, 2])
    expect(await verify(await signed())).toEqual({
      uid: "a firebase user",
      email: "ada@example.com",
      name: "Ada Lovelace",
      emailVerified: true,
      signedInAt: new Date((claimsWith().auth_time as number) * 1_000),
    });
  expect(requests).toBe(1);
});

test("accepts an unverified address of a password account, and says that it is unverified", async () => {
  const changes = { email_verified: false, firebase: { sign_in_provider: "password" } };
  expect(await verifier()(await signed(changes))).toMatchObject({ emailVerified: false });
});

const hour = 3_600;
const forgeries: [string, () => Promise<string>][] = [
  ["another key", () => signed({}, stranger)],
  ["a key that is not published", () => signed({}, stranger, "two")],
  ["no signature", async () => new UnsecuredJWT(claimsWith()).encode()],
  ["another project", () => signed({ iss: "https://securetoken.google.com/other" })],
  ["another audience", () => signed({ aud: "other" })],
  ["a time gone by", () => signed({ exp: (claimsWith().iat ?? 0) - hour })],
  ["no expiry", () => signed({ exp: undefined })],
  ["an issue time to come", () => signed({ iat: (claimsWith().iat ?? 0) + hour })],
  ["a sign-in to come", () => signed({ auth_time: (claimsWith().iat ?? 0) + hour })],
  ["no subject", () => signed({ sub: "" })],
  ["no email address", () => signed({ email: undefined })],
  ["an address Google has not verified", () => signed({ email_verified: false })],
];
test.for(forgeries)("refuses a token with %s", async ([_, forge]) => {
  await expect(verifier()(await forge())).rejects.toThrow();
});

test("accepts unsigned tokens only of the emulator, with the same claims", async () => {
  const verify = firebaseIdTokens({ projectId, clock, keysUrl, emulator: true });
  const unsigned = (changes: Changes) => new UnsecuredJWT(claimsWith(changes)).encode();
  expect(await verify(unsigned({}))).toMatchObject({ uid: "a firebase user" });
  await expect(verify(unsigned({ aud: "other" }))).rejects.toThrow();
  await expect(verify(unsigned({ exp: undefined }))).rejects.toThrow();
  await expect(verify(await signed())).rejects.toThrow();
});
