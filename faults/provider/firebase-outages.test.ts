import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { confirmPassword, deleteAccount } from "#contract/account.ts";
import { send } from "#contract/client.ts";
import { providerTimeouts } from "#server/settings/http-and-provider-timeouts.ts";
import { testClock } from "#server/testing/clock.ts";
import {
  type FirebasePerson,
  firebasePeople,
  startTestFirebase,
} from "#server/testing/firebase.ts";
import { openShop, type Shop, type ShopOptions } from "#server/testing/shop.ts";
import { runOptions, sample } from "../run-options.ts";
import {
  type Attempt,
  addPeople,
  asTold,
  done,
  exerciseTheRest,
  type PeopledShop,
  type Provider,
  testOutages,
} from "./outage-cells.ts";
import { type OutageProxy, outages, startOutageProxy } from "./outage-proxy.ts";
import { briefTimeouts, slowMs } from "./outage-shops.ts";

const clock = testClock();
const firebase = await startTestFirebase(clock);
const { join, enter, newPerson } = firebasePeople(firebase, clock);

type Service = "keys" | "accessTokens" | "identityToolkit";
let proxies: Record<Service, OutageProxy>;
let people: PeopledShop;

beforeAll(async () => {
  const open = () => startOutageProxy({ protocol: "http", slowMs });
  proxies = { keys: await open(), accessTokens: await open(), identityToolkit: await open() };
  for (const proxy of Object.values(proxies)) proxy.forwardTo(firebase.origin);
  const { signIn } = runOptions().long ? providerTimeouts : briefTimeouts;
  people = await addPeople(await openFirebaseShop({ signIn, worker: true }));
});
afterEach(() => Promise.all(Object.values(proxies).map((proxy) => proxy.set(undefined))));
afterAll(async () => {
  await people.shop.close();
  for (const opened of [firebase, ...Object.values(proxies)]) await opened.close();
});

type Options = Pick<ShopOptions, "worker" | "beside"> & { signIn: number };

async function openFirebaseShop({ signIn, ...options }: Options): Promise<Shop> {
  const { keys, accessTokens, identityToolkit } = proxies;
  return await openShop({
    clock,
    ...options,
    env: { ...firebase.env, FIREBASE_SERVICE_ACCOUNT: firebase.serviceAccount },
    firebase: firebase.addressesBehind({
      keys: keys.url,
      accessTokens: accessTokens.url,
      identityToolkit: identityToolkit.url,
    }),
    config: { providerTimeouts: { ...providerTimeouts, signIn } },
  });
}

async function newMember(): Promise<FirebasePerson> {
  const ada = newPerson();
  firebase.state.accounts.set(ada.sub, {});
  await join(people.shop, ada);
  return ada;
}

const enterAs = (ada: FirebasePerson): Promise<unknown> => enter(people.shop, ada);
const attemptOf = (call: () => Promise<unknown>): Attempt => {
  return () => call().then(() => done(), asTold);
};

/** Advances the clock by 61 minutes, so that cached keys and access tokens expire. */
const letCachesExpire = () => clock.advance(61);

const told: Provider["told"] = () => ({
  status: 503,
  message: "We can't reach our sign-in service right now. Try again in a minute.",
});

/** Describes a login during an outage of `service`. A login needs all three services. */
const loggingIn = (name: string, service: Service): Provider => ({
  name,
  told,
  at: () => ({ people, proxy: proxies[service] }),
  async prepare() {
    const ada = await newMember();
    letCachesExpire();
    return attemptOf(() =>
      enterAs({ ...ada, auth_time: Math.floor(clock.now().getTime() / 1_000) }),
    );
  },
});

const passwordCheck: Provider = {
  name: "Firebase's password check",
  told,
  at: () => ({ people, proxy: proxies.identityToolkit }),
  async prepare() {
    const member = await enter(people.shop, await newMember());
    const body = { password: firebase.state.password };
    return attemptOf(() => send(member, confirmPassword, { body }));
  },
};

// The remaining outages fail like one of these: with no response, no JSON or unexpected JSON.
const brief = ["down", "slow", "HTML", "other JSON"] as const;
testOutages("Firebase's keys", [loggingIn("Firebase's keys", "keys")], brief);
testOutages("Google's access tokens", [loggingIn("Google's access tokens", "accessTokens")], brief);
// `passwordCheck` comes last, because preparing a login expires the access tokens of members.
const accounts = [loggingIn("Firebase's accounts", "identityToolkit"), passwordCheck];
testOutages("Firebase's accounts", accounts, brief);

test.for(sample([...outages], 2))(
  "during the outage '%s', a member can delete their account, and a job deletes the Firebase account afterward",
  async (outage) => {
    const { pool } = people.shop;
    const ada = await newMember();
    const member = await enter(people.shop, ada);
    await proxies.identityToolkit.set(outage);
    await send(member, deleteAccount, {});
    const failed = async () =>
      (
        await pool.query(
          "select from graphile_worker.jobs where task_identifier = 'deleteHostedAccount' and attempts > 0 and last_error is not null",
        )
      ).rowCount;
    await expect.poll(failed).toBe(1);
    await proxies.identityToolkit.set(undefined);
    await pool.query("update graphile_worker._private_jobs set run_at = now()");
    await expect.poll(() => firebase.state.deleted).toContain(ada.sub);
    await expect.poll(failed).toBe(0);
  },
);

test.each<[name: string, service: Service, max: number]>([
  ["one request for the keys", "keys", 1],
  ["one request for an access token", "accessTokens", 1],
  // The shop rejects further logins immediately.
  ["50 requests for the account", "identityToolkit", 50],
])(
  "while Firebase is slow, 70 concurrent logins together send only %s",
  async (_, service, max) => {
    // A long timeout, so that the calls wait until the outage ends.
    const patient = await openFirebaseShop({ signIn: 600_000, beside: people.shop });
    onTestFinished(() => patient.close());
    const ada = await newMember();
    letCachesExpire();
    if (service === "identityToolkit") await enter(patient, ada);
    const proxy = proxies[service];
    await proxy.set("slow");
    let ended = 0;
    const logIn = attemptOf(() => enter(patient, ada));
    const crowd = Array.from({ length: 70 }, () => logIn().then(() => (ended += 1)));
    await expect.poll(() => proxy.accepted()).toBe(max);
    await expect.poll(() => ended).toBe(max === 1 ? 0 : 70 - max);
    await exerciseTheRest(people);
    expect(proxy.accepted()).toBe(max);
    await proxy.set(undefined);
    await Promise.all(crowd);
    await expect.poll(logIn).toEqual(done());
  },
);
