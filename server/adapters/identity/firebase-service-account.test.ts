import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listSessions } from "#contract/account.ts";
import { send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { allJobs } from "../../all-jobs.ts";
import { startWorker } from "../../jobs/worker.ts";
import { testClock } from "../../testing/clock.ts";
import {
  type FirebaseAccount,
  type FirebasePerson,
  firebasePeople,
  notSignedIn,
  startTestFirebase,
} from "../../testing/firebase.ts";
import { createVisitor, errorOf } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";

const clock = testClock();
const firebase = await startTestFirebase(clock);
const people = firebasePeople(firebase, clock);
const { newPerson, signInTime } = people;
let shop: Shop;

beforeAll(async () => {
  const env = { ...firebase.env, FIREBASE_SERVICE_ACCOUNT: firebase.serviceAccount };
  shop = await openShop({ env, firebase: firebase.addresses, clock });
});
afterAll(async () => {
  await shop.close();
  await firebase.close();
});

const join = (claims: FirebasePerson) => people.join(shop, claims);
const enter = (claims: FirebasePerson) => people.enter(shop, claims);

describe("sessions with Firebase and a service account", () => {
  const changes: [string, () => FirebaseAccount | undefined][] = [
    ["whose sign-in was revoked", () => ({ validSince: signInTime() + 1 })],
    ["of a disabled account", () => ({ disabled: true })],
    ["of a deleted account", () => undefined],
  ];
  test.for(changes)("a session %s ends at the next GET /jwt", async ([_, change]) => {
    const ada = newPerson();
    firebase.state.accounts.set(ada.sub, { validSince: signInTime() - 1 });
    await join(ada);
    const member = await enter(ada);
    const changed = change();
    if (changed) firebase.state.accounts.set(ada.sub, changed);
    else firebase.state.accounts.delete(ada.sub);
    expect(await errorOf(enter(ada))).toMatchObject(notSignedIn);
    expect(await errorOf(send(member, listSessions, {}))).toMatchObject(notSignedIn);
  });
});

test("after the shop deletes an account, a job deletes the account at Firebase", async () => {
  const ada = newPerson();
  firebase.state.accounts.set(ada.sub, {});
  await join(ada);
  firebase.state.outage = "500";
  await shop.deps.identity.accounts.remove(shop.deps.db, ada.email);
  const worker = await startWorker(shop.deps, shop.pool, { jobs: allJobs, log: shop.app.log });
  const failed = async () =>
    (
      await shop.pool.query(
        "select from graphile_worker.jobs where task_identifier = 'deleteHostedAccount' and attempts > 0",
      )
    ).rowCount;
  await expect.poll(failed).toBe(1);
  firebase.state.outage = undefined;
  await shop.pool.query("update graphile_worker._private_jobs set run_at = now()");
  await expect.poll(() => firebase.state.deleted).toEqual([ada.sub]);
  await worker.stop();
});

test("GET /config doesn't reveal the service account", async () => {
  const config = await createVisitor(shop).call(readConfig, {});
  expect(JSON.stringify(config)).not.toMatch(/PRIVATE KEY|robot/);
});
