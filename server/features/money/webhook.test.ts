import { createHmac } from "node:crypto";
import { expect, vi } from "vitest";
import { apiVersion } from "../../adapters/cards/stripe-client.ts";
import { sandboxKeys } from "../../settings/production-checks.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop } from "../../testing/marketplace.ts";
import { handleMissedEvents, newestTime } from "./webhook-events.ts";

const test = shopTest();

test.for([
  "",
  "garbage",
  "null",
  "[]",
  "{}",
  JSON.stringify({ id: { $ne: 1 }, type: "payment_intent.succeeded" }),
  JSON.stringify({ id: "evt_garbage\0", type: "charge.updated" }),
  JSON.stringify({ id: "evt_garbage_no_data", type: "payment_intent.succeeded" }),
  JSON.stringify({
    id: "evt_garbage_odd",
    type: "payment_intent.succeeded",
    data: { object: { id: 7 } },
  }),
  JSON.stringify({ id: "evt_garbage_null", type: "charge.refunded", data: { object: null } }),
])(
  "a signed body that isn't a valid event is rejected with a message and not stored: %s",
  async (body, { shop }) => {
    const answer = await postSigned(shop.url, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "BAD_REQUEST", message: expect.any(String) });
    const stored = await shop.deps.db
      .selectFrom("webhook_events")
      .select("id")
      .where("id", "like", "evt_garbage%")
      .execute();
    expect(stored).toEqual([]);
  },
);

test("an event from another API version is accepted, and a logged warning names the command to run", async ({
  shop,
}) => {
  const warn = vi.fn();
  const child = shop.app.log.child.bind(shop.app.log);
  const children = vi.spyOn(shop.app.log, "child");
  children.mockImplementation((...given) => Object.assign(child(...given), { warn }));
  for (const [id, api_version] of [
    ["evt_of_our_version", apiVersion],
    ["evt_of_another_version", "2020-08-27"],
  ] as const) {
    const data = { object: { object: "payment_intent", id: "pi_1" } };
    const event = { id, type: "payment_intent.succeeded", api_version, data };
    expect(await postSigned(shop.url, JSON.stringify(event))).toMatchObject({ status: 200 });
  }
  children.mockRestore();
  expect(warn.mock.calls).toEqual([
    [
      { eventType: "payment_intent.succeeded", apiVersion: "2020-08-27" },
      "webhook event from another API version: run npm run stripe -- webhook",
    ],
  ]);
  const stored = shop.deps.db.selectFrom("webhook_events").select("id").orderBy("id");
  expect(await stored.where("id", "like", "evt_of_%").execute()).toEqual([
    { id: "evt_of_another_version" },
    { id: "evt_of_our_version" },
  ]);
});

async function postSigned(url: string, body: string): Promise<Response> {
  const at = Math.floor(Date.now() / 1000);
  const signed = createHmac("sha256", sandboxKeys.webhookSecret).update(`${at}.${body}`);
  return await fetch(`${url}/api/webhooks/stripe`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "stripe-signature": `t=${at},v1=${signed.digest("hex")}`,
    },
    body,
  });
}

const at = (ms: number) => ({ createdAt: new Date(ms) });

test("an event is found among more missed ones than a statement has parameters", async ({
  shop,
  seller,
  buyer,
}) => {
  const booking = await bookLaptop(buyer, await insertLaptop(shop, seller));
  await shop.pool.query("update bookings set intent_id = 'pi_2' where id = $1", [booking]);
  await shop.pool.query(
    "insert into webhook_events select 'evt_' || n, now() from generate_series(1, 70000) n",
  );
  const listed = Array.from({ length: 70_001 }, (_, number) => ({
    id: `evt_${number}`,
    type: "payment_intent.succeeded",
    intentId: "pi_2",
    accountId: undefined,
    transferGroup: undefined,
    otherApiVersion: undefined,
    createdAt: new Date(),
  }));
  const cards = { ...shop.deps.cards, listEvents: async () => listed };
  await handleMissedEvents({ ...shop.deps, cards });
  const missed = shop.deps.db.selectFrom("webhook_events").select("id").where("id", "=", "evt_0");
  expect(await missed.execute()).toEqual([{ id: "evt_0" }]);
});

test("newestTime finds the newest time in a very long list", () => {
  const listed = Array.from({ length: 500_000 }, (_, index) => at(500_000 - index));
  expect(newestTime(listed, undefined)).toEqual(new Date(500_000));
});

test("newestTime never returns a time before the previous time", () => {
  expect(newestTime([at(1)], new Date(2))).toEqual(new Date(2));
  expect(newestTime([], null)).toEqual(new Date(0));
});
