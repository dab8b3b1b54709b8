import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { confirmPassword, deleteAccount, endSession, listSessions } from "#contract/account.ts";
import { send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import {
  issueToken,
  joinAsMember,
  readConfirmation,
  toggleSuspension,
  updateProfile,
} from "#contract/members.ts";
import { startWorker } from "../../jobs/worker.ts";
import { providerTimeouts } from "../../settings/provider-timeouts.ts";
import { testClock } from "../../testing/clock.ts";
import {
  type Changes,
  type FirebaseAccount,
  firebaseOutages,
  startTestFirebase,
  type TestFirebase,
} from "../../testing/firebase.ts";
import { createMember, createVisitor, errorOf } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { findProviderAccounts, findUser, setPasswordHash } from "./testing.ts";

const clock = testClock();
let firebase: TestFirebase;
let shop: Shop;
/** The same shop with a service account. */
let withAdmin: Shop;

beforeAll(async () => {
  firebase = await startTestFirebase(clock);
  const { env, addresses, serviceAccount } = firebase;
  shop = await openShop({ env, firebase: addresses, clock });
  const account = { FIREBASE_SERVICE_ACCOUNT: serviceAccount };
  withAdmin = await openShop({
    ...{ env: { ...env, ...account }, firebase: addresses, beside: shop },
    config: { providerTimeouts: { ...providerTimeouts, signIn: 500 } },
  });
});
afterAll(async () => {
  await withAdmin.close();
  await shop.close();
  await firebase.close();
});

type Person = Changes & { sub: string; email: string };

let count = 0;

/** A person with an account at Firebase. */
function newPerson(changes: Changes = {}): Person {
  count += 1;
  return { sub: `uid-${count}`, email: `person-${count}@example.com`, ...changes };
}

/** The connection of a browser that signed in at Firebase: its ID token is the proof. */
async function signedIn(claims: Changes, at = shop) {
  const token = await firebase.idToken(claims);
  return { host: `${at.url}/api`, fetch, token: () => token };
}

async function join(claims: Person, at = shop) {
  const body = { name: "Ada Lovelace", email: claims.email, accountType: "buyer" } as const;
  return await send(await signedIn(claims, at), joinAsMember, { body });
}

/** The connection of a member with an access token. */
async function enter(claims: Person, at = shop) {
  const { email } = claims;
  const { body } = await send(await signedIn(claims, at), issueToken, { query: { email } });
  return { host: `${at.url}/api`, fetch, token: () => body.accessToken };
}

const signInTime = () => Math.floor(clock.now().getTime() / 1_000);
const notSignedIn = { status: 401, code: "NOT_SIGNED_IN" };

describe("an ID token of Firebase", () => {
  test("is the proof for POST /users and GET /jwt; a sign-in is one session", async () => {
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

  test("is for its own address only", async () => {
    const ada = newPerson();
    await join(ada);
    const proof = await signedIn(newPerson());
    expect(await errorOf(send(proof, issueToken, { query: { email: ada.email } }))).toMatchObject({
      code: "NOT_YOUR_ADDRESS",
    });
  });

  test.for<[string, Changes]>([
    ["of another project", { aud: "other" }],
    ["that has expired", { exp: 1 }],
    ["of a sign-in more than 30 days ago", { auth_time: signInTime() - 31 * 86_400 }],
  ])("%s is refused and creates nothing", async ([_, changes]) => {
    const eve = newPerson(changes);
    expect(await errorOf(join(eve))).toMatchObject(notSignedIn);
    await expect(findUser(shop.deps.db, eve.email)).rejects.toThrow();
  });

  test("is checked again once the keys can be read", async () => {
    const other = await openShop({ env: firebase.env, firebase: firebase.addresses, beside: shop });
    onTestFinished(() => other.close());
    const ada = newPerson();
    firebase.state.outage = "down";
    const message = "We can't reach our sign-in service right now. Try again in a minute.";
    expect(await errorOf(join(ada, other))).toMatchObject({ status: 503, message });
    expect((await createVisitor(other).call(readConfig, {})).identity).toBe("firebase");
    firebase.state.outage = undefined;
    expect((await join(ada, other)).status).toBe(201);
  });
});

describe("an address", () => {
  test("is confirmed once Firebase has verified it", async () => {
    const ada = newPerson({ email_verified: false });
    await join(ada);
    const read = async (claims: Person) =>
      (await send(await enter(claims), readConfirmation, {})).body.confirmed;
    expect(await read(ada)).toBe(false);
    expect(await read({ ...ada, email_verified: true })).toBe(true);
    const audit = shop.deps.db
      .selectFrom("audit_log")
      .select("verb")
      .where("verb", "=", "confirm address");
    expect(await audit.execute()).toHaveLength(1);
  });

  test("that has a member already is given only to an account that has verified it", async () => {
    const { db } = shop.deps;
    const grace = await createMember(shop);
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

  test("that was changed at Firebase does not make the account another member", async () => {
    const ada = newPerson();
    await join(ada);
    const moved = { ...ada, email: newPerson().email };
    expect(await errorOf(join(moved))).toMatchObject({ code: "NOT_YOUR_ADDRESS" });
  });
});

describe("a session", () => {
  test("that was signed out takes its access token and its ID token with it", async () => {
    const ada = newPerson();
    await join(ada);
    const member = await enter(ada);
    const other = await enter({ ...ada, auth_time: signInTime() - 50 });
    const answer = await fetch(`${shop.url}/api/auth/sign-out`, {
      method: "POST",
      headers: { authorization: `Bearer ${await firebase.idToken(ada)}`, origin: shop.url },
    });
    expect(answer.status).toBe(200);
    expect(await errorOf(send(member, listSessions, {}))).toMatchObject(notSignedIn);
    expect(await errorOf(enter(ada))).toMatchObject(notSignedIn);
    expect((await send(other, listSessions, {})).body).toHaveLength(1);
  });

  test("that the member ended does not come back", async () => {
    const ada = newPerson();
    await join(ada);
    const elsewhere = { ...ada, auth_time: signInTime() - 50 };
    await enter(elsewhere);
    const member = await enter(ada);
    const { body: sessions } = await send(member, listSessions, {});
    const id = sessions.find(({ current }) => !current)?._id ?? "";
    await send(member, endSession, { params: { id } });
    expect(await errorOf(enter(elsewhere))).toMatchObject(notSignedIn);
    expect((await send(member, listSessions, {})).body).toHaveLength(1);
  });

  test("of a suspended member is refused with the reason, until restored", async () => {
    const ada = newPerson();
    const { insertedId: id } = (await join(ada)).body;
    const member = await enter(ada);
    const admin = await createMember(shop, { isAdmin: true });
    await admin.call(toggleSuspension, { body: { id, suspended: false } });
    expect(await errorOf(send(member, listSessions, {}))).toMatchObject(notSignedIn);
    expect(await errorOf(enter(ada))).toMatchObject({ status: 403, code: "ACCOUNT_SUSPENDED" });
    await admin.call(toggleSuspension, { body: { id, suspended: true } });
    expect(await errorOf(enter(ada))).toMatchObject(notSignedIn);
    clock.advance(1);
    await enter(ada);
  });

  test("is confirmed by the password, which Firebase checks, before the account is deleted", async () => {
    const ada = newPerson();
    await join(ada);
    clock.advance(11);
    const member = await enter({ ...ada, auth_time: signInTime() - 11 * 60 - 1 });
    expect(await errorOf(send(member, deleteAccount, {}))).toMatchObject({
      code: "CONFIRM_PASSWORD",
    });
    const confirm = (password: string) => send(member, confirmPassword, { body: { password } });
    expect(await errorOf(confirm("Wrong#2026"))).toMatchObject({ code: "WRONG_PASSWORD" });
    await confirm(firebase.state.password);
    await send(member, deleteAccount, {});
    expect(await errorOf(send(member, listSessions, {}))).toMatchObject(notSignedIn);
    expect(await errorOf(join(ada))).toMatchObject({ status: 403, code: "ADDRESS_BLOCKED" });
  });

  test("keeps the name of the member's profile", async () => {
    const ada = newPerson();
    await join(ada);
    const body = { name: "Ada King" };
    await send(await enter(ada), updateProfile, { body });
    await enter({ ...ada, auth_time: signInTime() - 30 });
    expect(await findUser(shop.deps.db, ada.email)).toMatchObject(body);
  });
});

describe("with a service account, a session", () => {
  const changes: [string, () => FirebaseAccount | undefined][] = [
    ["whose sign-in was revoked", () => ({ validSince: signInTime() + 1 })],
    ["of a disabled account", () => ({ disabled: true })],
    ["of a deleted account", () => undefined],
  ];
  test.for(changes)("%s ends at the next GET /jwt", async ([_, change]) => {
    const ada = newPerson();
    firebase.state.accounts.set(ada.sub, { validSince: signInTime() - 1 });
    await join(ada, withAdmin);
    const member = await enter(ada, withAdmin);
    const changed = change();
    if (changed) firebase.state.accounts.set(ada.sub, changed);
    else firebase.state.accounts.delete(ada.sub);
    expect(await errorOf(enter(ada, withAdmin))).toMatchObject(notSignedIn);
    expect(await errorOf(send(member, listSessions, {}))).toMatchObject(notSignedIn);
  });

  test.for(firebaseOutages)(
    "goes on while Firebase is %s, and is renewed afterwards",
    async (outage) => {
      const ada = newPerson();
      firebase.state.accounts.set(ada.sub, {});
      await join(ada, withAdmin);
      const member = await enter(ada, withAdmin);
      const confirm = () => send(member, confirmPassword, { body: { password: "Wrong#2026" } });
      firebase.state.outage = outage;
      const refused = { status: 503, code: "UNAVAILABLE" };
      expect(await errorOf(enter(ada, withAdmin))).toMatchObject(refused);
      expect(await errorOf(confirm())).toMatchObject(refused);
      expect((await send(member, listSessions, {})).status).toBe(200);
      firebase.state.outage = undefined;
      await enter(ada, withAdmin);
      expect(await errorOf(confirm())).toMatchObject({ code: "WRONG_PASSWORD" });
    },
  );
});

test("with a service account, an account that is deleted here is deleted at Firebase by a job", async () => {
  const ada = newPerson();
  firebase.state.accounts.set(ada.sub, {});
  await join(ada, withAdmin);
  firebase.state.outage = "500";
  await withAdmin.deps.identity.accounts.remove(withAdmin.deps.db, ada.email);
  const worker = await startWorker(withAdmin.deps, withAdmin.pool, withAdmin.app.log);
  const failed = async () =>
    (
      await withAdmin.pool.query(
        "select from graphile_worker.jobs where task_identifier = 'deleteHostedAccount' and attempts > 0",
      )
    ).rowCount;
  await expect.poll(failed).toBe(1);
  firebase.state.outage = undefined;
  await withAdmin.pool.query("update graphile_worker._private_jobs set run_at = now()");
  await expect.poll(() => firebase.state.deleted).toEqual([ada.sub]);
  await worker.stop();
});

test("the routes of the embedded service are gone, and its mailed links are void", async () => {
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

test("GET /config tells browsers what they need, and no secret", async () => {
  const config = await createVisitor(withAdmin).call(readConfig, {});
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
  expect(JSON.stringify(config)).not.toContain("PRIVATE KEY");
});
