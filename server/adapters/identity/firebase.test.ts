import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { confirmPassword, deleteAccount, endSession, listSessions } from "#contract/account.ts";
import { send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { inviteFriend, readInvitationOffer } from "#contract/invitations.ts";
import {
  issueToken,
  joinAsMember,
  readConfirmation,
  toggleSuspension,
  updateProfile,
  upsertMember,
} from "#contract/members.ts";
import { testClock } from "../../testing/clock.ts";
import {
  type Changes,
  type FirebasePerson,
  firebasePeople,
  notSignedIn,
  startTestFirebase,
} from "../../testing/firebase.ts";
import { createVisitor, errorOf, member } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import {
  findProviderAccounts,
  findUser,
  insertProviderAccount,
  setPasswordHash,
} from "./testing.ts";

const clock = testClock();
const firebase = await startTestFirebase(clock);
const people = firebasePeople(firebase, clock);
const { newPerson, signInTime } = people;
let shop: Shop;

beforeAll(async () => {
  const { env, addresses } = firebase;
  shop = await openShop({ env, firebase: addresses, clock });
});
afterAll(async () => {
  await shop.close();
  await firebase.close();
});

const join = (claims: FirebasePerson) => people.join(shop, claims);
const enter = (claims: FirebasePerson) => people.enter(shop, claims);

describe("Firebase ID tokens", () => {
  test("an ID token authenticates POST /users and GET /jwt, and refreshed tokens share one session", async () => {
    const ada = newPerson();
    expect((await join(ada)).status).toBe(201);
    expect((await join(ada)).status).toBe(200);
    clock.advance(5);
    const renewed = { ...ada, auth_time: signInTime() - 301 };
    for (const claims of [renewed, renewed]) {
      const { body } = await send(await enter(claims), listSessions, {});
      expect(body).toMatchObject([{ current: true }]);
    }
    expect(await findUser(shop.deps.db, ada.email)).toMatchObject({ id: ada.sub });
  });

  test("joining with an ID token accepts the invitation that was mailed to the address", async () => {
    const friend = newPerson();
    await (await member(shop)).call(inviteFriend, { body: { email: friend.email } });
    await join(friend);
    const offer = await send(await enter(friend), readInvitationOffer, {});
    expect(offer.body).toEqual({ hasDiscount: true });
  });

  test("an ID token is valid only for its own email address", async () => {
    const ada = newPerson();
    await join(ada);
    const proof = await people.signedIn(shop, newPerson());
    expect(await errorOf(send(proof, issueToken, { query: { email: ada.email } }))).toMatchObject({
      code: "NOT_YOUR_ADDRESS",
    });
  });

  test.for<[string, Changes]>([
    ["from another project", { aud: "other" }],
    ["that has expired", { exp: 1 }],
    ["from a sign-in more than 30 days ago", { auth_time: signInTime() - 31 * 86_400 }],
  ])("an ID token %s is rejected and creates no account", async ([_, changes]) => {
    const eve = newPerson(changes);
    expect(await errorOf(join(eve))).toMatchObject(notSignedIn);
    await expect(findUser(shop.deps.db, eve.email)).rejects.toThrow();
  });

  test("a name at Firebase that contains a phone number isn't used, but the user can join and sign in", async () => {
    const ada = newPerson({ name: "Ada 503 555 0100" });
    const { email } = ada;
    const proof = await people.signedIn(shop, ada);
    const body = { name: "Ada 503 555 0100", email, accountType: "buyer" } as const;
    const fallback = email.slice(0, email.indexOf("@")).replace("-", " ");
    for (const call of [joinAsMember, upsertMember]) {
      await send(proof, call, { body });
      const joined = shop.deps.db.selectFrom("members").select("name").where("email", "=", email);
      expect(await joined.executeTakeFirst()).toEqual({ name: fallback });
    }
  });

  test("joining returns 503 while Google's public keys can't be read, and succeeds afterward", async () => {
    const other = await openShop({ env: firebase.env, firebase: firebase.addresses, beside: shop });
    onTestFinished(() => other.close());
    const ada = newPerson();
    firebase.state.outage = "down";
    const message = "We can't reach our sign-in service right now. Try again in a minute.";
    expect(await errorOf(people.join(other, ada))).toMatchObject({ status: 503, message });
    expect((await createVisitor(other).call(readConfig, {})).identity).toBe("firebase");
    firebase.state.outage = undefined;
    expect((await people.join(other, ada)).status).toBe(201);
  });
});

describe("email addresses with Firebase", () => {
  test("a member's address is confirmed as soon as an ID token shows that Firebase verified it", async () => {
    const ada = newPerson({ email_verified: false });
    await join(ada);
    const read = async (claims: FirebasePerson) =>
      (await send(await enter(claims), readConfirmation, {})).body.confirmed;
    expect(await read(ada)).toBe(false);
    expect(await read({ ...ada, email_verified: true })).toBe(true);
    const audit = shop.deps.db
      .selectFrom("audit_log")
      .select("verb")
      .where("verb", "=", "confirm address");
    expect(await audit.execute()).toHaveLength(1);
  });

  test("only a Firebase user with a verified address can take over an existing account with that address", async () => {
    const { db } = shop.deps;
    const grace = await member(shop);
    await setPasswordHash(db, grace.email, "a hash of the embedded service");
    const { email } = grace;
    const eve = { ...newPerson(), email, email_verified: false };
    expect(await errorOf(join(eve))).toMatchObject({
      code: "ADDRESS_NOT_CONFIRMED",
      message: expect.stringContaining("Use Forget Password?"),
    });
    const owner = { ...eve, email_verified: true };
    const { body } = await join(owner);
    expect(body).toMatchObject({ insertedId: grace.id });
    expect(await findProviderAccounts(db, email)).toMatchObject([
      { providerId: "credential", password: null },
      { providerId: "firebase", accountId: eve.sub },
    ]);
    await enter({ ...owner, auth_time: signInTime() - 100 });
  });

  test("verifying an address revokes access for anyone who signed up with it earlier", async () => {
    const { db } = shop.deps;
    const linked = {
      sign_in_provider: "password",
      identities: { "google.com": ["google account of Eve"] },
    };
    const eve = newPerson({ email_verified: false, firebase: linked });
    await join(eve);
    const session = await enter(eve);
    const method = { providerId: "credential", accountId: eve.sub };
    expect(await findProviderAccounts(db, eve.email)).toMatchObject([method]);
    const google = { providerId: "google", accountId: "google account of before Firebase" };
    await insertProviderAccount(db, { ...google, userId: eve.sub });
    clock.advance(1);
    const ada = { ...eve, email_verified: true, auth_time: signInTime() };
    await enter(ada);
    expect(await errorOf(send(session, listSessions, {}))).toMatchObject(notSignedIn);
    expect(await errorOf(enter({ ...eve, auth_time: signInTime() - 61 }))).toMatchObject(
      notSignedIn,
    );
    expect(await findProviderAccounts(db, eve.email)).toMatchObject([method]);
    expect((await send(await enter(ada), listSessions, {})).body).toHaveLength(1);
  });

  test("signing in with Google adds Google to the account's sign-in methods", async () => {
    const firebaseClaim = { sign_in_provider: "google.com", identities: { "google.com": ["113"] } };
    const ada = newPerson({ firebase: firebaseClaim });
    await join(ada);
    expect(await findProviderAccounts(shop.deps.db, ada.email)).toMatchObject([
      { providerId: "google", accountId: "113" },
    ]);
  });

  test("an account whose address was changed at Firebase can't join as another member", async () => {
    const ada = newPerson();
    await join(ada);
    const moved = { ...ada, email: newPerson().email };
    expect(await errorOf(join(moved))).toMatchObject({ code: "NOT_YOUR_ADDRESS" });
  });
});

describe("sessions with Firebase", () => {
  test("signing out invalidates the session's access token and ID token", async () => {
    const ada = newPerson();
    await join(ada);
    const someone = await enter(ada);
    const other = await enter({ ...ada, auth_time: signInTime() - 50 });
    const answer = await fetch(`${shop.url}/api/auth/sign-out`, {
      method: "POST",
      headers: { authorization: `Bearer ${await firebase.idToken(ada)}`, origin: shop.url },
    });
    expect(answer.status).toBe(200);
    expect(await errorOf(send(someone, listSessions, {}))).toMatchObject(notSignedIn);
    expect(await errorOf(enter(ada))).toMatchObject(notSignedIn);
    expect((await send(other, listSessions, {})).body).toHaveLength(1);
  });

  test("after a member ends a session, the session's ID token can't start it again", async () => {
    const ada = newPerson();
    await join(ada);
    const elsewhere = { ...ada, auth_time: signInTime() - 50 };
    await enter(elsewhere);
    const someone = await enter(ada);
    const { body: sessions } = await send(someone, listSessions, {});
    const id = sessions.find(({ current }) => !current)?._id ?? "";
    await send(someone, endSession, { params: { id } });
    expect(await errorOf(enter(elsewhere))).toMatchObject(notSignedIn);
    expect((await send(someone, listSessions, {})).body).toHaveLength(1);
  });

  test("a suspended member can't sign in, and needs a new sign-in after an admin restores the member", async () => {
    const ada = newPerson();
    const { insertedId: id } = (await join(ada)).body;
    const someone = await enter(ada);
    const admin = await member(shop, { isAdmin: true });
    await admin.call(toggleSuspension, { body: { id, suspended: false } });
    expect(await errorOf(send(someone, listSessions, {}))).toMatchObject(notSignedIn);
    expect(await errorOf(enter(ada))).toMatchObject({ status: 403, code: "ACCOUNT_SUSPENDED" });
    await admin.call(toggleSuspension, { body: { id, suspended: true } });
    expect(await errorOf(enter(ada))).toMatchObject(notSignedIn);
    clock.advance(1);
    await enter(ada);
  });

  test("in an old session, deleting the account requires the password, which Firebase checks", async () => {
    const ada = newPerson();
    await join(ada);
    clock.advance(11);
    const someone = await enter({ ...ada, auth_time: signInTime() - 11 * 60 - 1 });
    expect(await errorOf(send(someone, deleteAccount, {}))).toMatchObject({
      code: "CONFIRM_PASSWORD",
    });
    const confirm = (password: string) => send(someone, confirmPassword, { body: { password } });
    expect(await errorOf(confirm("Wrong#2026"))).toMatchObject({ code: "WRONG_PASSWORD" });
    await confirm(firebase.state.password);
    await send(someone, deleteAccount, {});
    expect(await errorOf(send(someone, listSessions, {}))).toMatchObject(notSignedIn);
    expect(await errorOf(join(ada))).toMatchObject({ status: 403, code: "ADDRESS_BLOCKED" });
  });

  test("signing in again keeps the name in the member's profile", async () => {
    const ada = newPerson();
    await join(ada);
    const body = { name: "Ada King" };
    await send(await enter(ada), updateProfile, { body });
    await enter({ ...ada, auth_time: signInTime() - 30 });
    expect(await findUser(shop.deps.db, ada.email)).toMatchObject(body);
  });
});

test("with Firebase, sign-in routes of the embedded service return 404, and a reset token is rejected as invalid", async () => {
  const post = async (path: string): Promise<[number, string]> => {
    const answer = await fetch(`${shop.url}/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: shop.url },
      body: JSON.stringify({ email: "ada@example.com", password: "Secret#2026", token: "x" }),
    });
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  expect(await post("/sign-in/email")).toEqual([404, "NOT_FOUND"]);
  expect(await post("/sign-up/email")).toEqual([404, "NOT_FOUND"]);
  expect(await post("/two-factor/enable")).toEqual([404, "NOT_FOUND"]);
  expect(await post("/reset-password")).toEqual([400, "INVALID_TOKEN"]);
});

test("GET /config returns the settings that browsers need to sign in with Firebase", async () => {
  const config = await createVisitor(shop).call(readConfig, {});
  expect(config).toMatchObject({
    identity: "firebase",
    firebase: {
      projectId: firebase.env.FIREBASE_PROJECT_ID,
      apiKey: firebase.env.FIREBASE_API_KEY,
      authDomain: firebase.env.FIREBASE_AUTH_DOMAIN,
      emulatorUrl: null,
    },
    signInProviders: [{ id: "google", label: "Google" }],
    demo: false,
  });
});
