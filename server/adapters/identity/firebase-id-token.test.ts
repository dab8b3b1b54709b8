import { generateKeyPair, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { testClock } from "../../testing/clock.ts";
import { type Changes, startTestFirebase, type TestFirebase } from "../../testing/firebase.ts";
import { firebaseIdTokens } from "./firebase-id-token.ts";

const clock = testClock();
const projectId = "secondlap-test";
const stranger = (await generateKeyPair("RS256")).privateKey;
let firebase: TestFirebase;

beforeAll(async () => {
  firebase = await startTestFirebase(clock);
});
afterAll(() => firebase.close());
beforeEach(() => {
  firebase.state.keyRequests = 0;
});

const verifier = () => firebaseIdTokens({ projectId, clock, keysUrl: firebase.addresses.keys });
const google = { sign_in_provider: "google.com", identities: { "google.com": ["113"] } };

test("an ID token for the project is accepted, and shows how the user signed in", async () => {
  const changes = { email: "Ada@Example.com", firebase: google };
  expect(await verifier()(await firebase.idToken(changes))).toEqual({
    uid: "a firebase user",
    email: "ada@example.com",
    name: "Ada Lovelace",
    emailVerified: true,
    signedInAt: new Date(Number(firebase.claimsOf({}).auth_time) * 1_000),
    signedInWith: "google.com",
    googleId: "113",
  });
});

test("a password account's unverified address is accepted and reported as unverified", async () => {
  const token = await firebase.idToken({ email_verified: false });
  expect(await verifier()(token)).toMatchObject({ emailVerified: false, signedInWith: "password" });
});

test("Google's public keys are cached for an hour", async () => {
  const verify = verifier();
  for (const [minutes, requests] of [
    ...[[0, 1] as const, [59, 1] as const, [2, 2] as const, [59, 2] as const],
  ]) {
    clock.advance(minutes);
    await verify(await firebase.idToken());
    expect(firebase.state.keyRequests).toBe(requests);
  }
});

test("a token with an unknown key makes the verifier refetch the public keys, at most twice a minute", async () => {
  const verify = verifier();
  const unknown = await firebase.idToken({}, { key: stranger, kid: "two" });
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [seconds, requests] of [
    ...[[0, 1] as const, [12, 1] as const, [30, 2] as const, [6, 2] as const],
  ]) {
    vi.setSystemTime(Date.now() + seconds * 1_000);
    await expect(verify(unknown)).rejects.toThrow("no applicable key");
    expect(firebase.state.keyRequests).toBe(requests);
  }
});

test("verification throws UNAVAILABLE if the public keys can't be fetched, and fetches them again for the next token", async () => {
  const verify = verifier();
  firebase.state.outage = "down";
  await expect(verify(await firebase.idToken())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  firebase.state.outage = undefined;
  expect(await verify(await firebase.idToken())).toMatchObject({ uid: "a firebase user" });
});

const hour = 3_600;
const now = () => Math.floor(clock.now().getTime() / 1_000);
const forgeries: [string, () => Promise<string>][] = [
  ["another key", () => firebase.idToken({}, { key: stranger })],
  ["a key that is not published", () => firebase.idToken({}, { key: stranger, kid: "two" })],
  ["no signature", async () => new UnsecuredJWT(firebase.claimsOf({})).encode()],
  ["another project", () => firebase.idToken({ iss: "https://securetoken.google.com/other" })],
  ["another audience", () => firebase.idToken({ aud: "other" })],
  ["an expiry in the past", () => firebase.idToken({ exp: now() - 60 })],
  ["no expiry", () => firebase.idToken({ exp: undefined })],
  ["no issue time", () => firebase.idToken({ iat: undefined })],
  ["an issue time in the future", () => firebase.idToken({ iat: now() + hour })],
  ["a sign-in in the future", () => firebase.idToken({ auth_time: now() + hour })],
  ["no subject", () => firebase.idToken({ sub: "" })],
  ["no email address", () => firebase.idToken({ email: undefined })],
  [
    "an address Google has not verified",
    () => firebase.idToken({ email_verified: false, firebase: google }),
  ],
];
test.for(forgeries)("an ID token with %s is rejected", async ([_, forge]) => {
  await expect(verifier()(await forge())).rejects.toThrow();
});

test("with the Auth emulator, only unsigned tokens with valid claims are accepted", async () => {
  const verify = firebaseIdTokens({ projectId, clock, emulator: true });
  const unsigned = (changes: Changes) => new UnsecuredJWT(firebase.claimsOf(changes)).encode();
  expect(await verify(unsigned({}))).toMatchObject({ uid: "a firebase user" });
  await expect(verify(unsigned({ aud: "other" }))).rejects.toThrow();
  await expect(verify(unsigned({ exp: undefined }))).rejects.toThrow();
  await expect(verify(await firebase.idToken())).rejects.toThrow();
});
