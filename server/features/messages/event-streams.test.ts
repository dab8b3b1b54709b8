import { expect } from "vitest";
import { cancelBooking } from "#contract/bookings.ts";
import { declineOffer, makeOffer } from "#contract/offers.ts";
import { httpTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop } from "../../testing/marketplace.ts";
import { member, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { openStream, startConversation, write } from "./testing.ts";

const test = shopTest();

const asked = (shop: Shop, seller: Person) =>
  startConversation(shop, seller, "Call me: 503-555-0100");
const lastIdOf = (text: string) => Number([...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]);

test("an event stream reports changes made through another node, but contains no message text", async ({
  shop,
  seller,
}) => {
  const node = await openShop({ beside: shop });
  const { buyer, id } = await asked(shop, seller);
  const stream = await openStream(node, seller);
  expect(stream.answer.headers.get("content-type")).toBe("text/event-stream");
  expect(stream.answer.headers.get("x-accel-buffering")).toBe("no");
  await expect.poll(() => stream.text).toMatch(/^id: \d+\n/);
  await write(buyer, id);
  await expect.poll(() => stream.text).toContain(`"conversations":["${id}"]`);
  expect(stream.text).not.toMatch(/Hello|Call me|503/);
  const streams = [stream, await openStream(node, seller)];
  await node.app.close();
  // A server that waited for open streams would cut them off after ten seconds.
  const ends = await Promise.all(streams.map(({ ended }) => ended));
  expect(ends).toEqual(["by the server", "by the server"]);
  await node.close();
});

test("only the buyer's and the seller's event streams report a change to their offer or deal", async ({
  shop,
  seller,
}) => {
  const [buyer, stranger] = [await member(shop), await member(shop)];
  const streams = await Promise.all([seller, buyer, stranger].map((one) => openStream(shop, one)));
  for (const stream of streams) await expect.poll(() => stream.text).toMatch(/^id: \d+\n/);
  const [theirs, own, none] = streams;
  const changesOf = (stream: typeof own) => stream?.text.split("event: deals").length;
  const product = { _id: await insertLaptop(shop, seller) };
  const offer = { product, price: 1, phone: "503-555-0100", location: "Central Library" };
  const { insertedId: id } = await buyer.call(makeOffer, { body: offer });
  await expect.poll(() => [changesOf(theirs), changesOf(own)]).toEqual([2, 2]);
  await seller.call(declineOffer, { params: { id } });
  await expect.poll(() => [changesOf(theirs), changesOf(own)]).toEqual([3, 3]);
  const booking = await bookLaptop(buyer, await insertLaptop(shop, seller));
  await buyer.call(cancelBooking, { params: { id: booking } });
  await expect.poll(() => theirs?.text).toContain("event: deals\ndata: {}\n\n");
  await expect.poll(() => own?.text).toContain("event: deals\ndata: {}\n\n");
  expect(none?.text).not.toContain("deals");
  for (const { stop } of streams) stop();
});

test("a browser that reconnects receives each missed event only once", async ({ shop, seller }) => {
  const { buyer, id } = await asked(shop, seller);
  const first = await openStream(shop, seller);
  await expect.poll(() => first.text).toMatch(/^id: \d+\n/);
  first.stop();
  const other = await asked(shop, seller);
  await write(buyer, id);
  const missed = { "last-event-id": String(lastIdOf(first.text)) };
  const second = await openStream(shop, seller, missed);
  await expect.poll(() => second.text).toContain(`"conversations":["${other.id}","${id}"]`);
  const third = await openStream(shop, seller, { "last-event-id": String(lastIdOf(second.text)) });
  await write(buyer, id);
  await expect.poll(() => third.text).toContain(`"conversations":["${id}"]`);
  expect(third.text).not.toContain(other.id);
  second.stop();
  third.stop();
});

test("a member can have at most six event streams on one server", async ({ shop, seller }) => {
  const { buyer } = await asked(shop, seller);
  const streams = [];
  for (let count = 0; count < 7; count += 1) streams.push(await openStream(shop, buyer));
  expect(streams.map(({ answer }) => answer.status)).toEqual([200, 200, 200, 200, 200, 200, 429]);
  for (const { stop } of streams) stop();
  // The last stream stays open until the shop closes.
  await expect.poll(async () => (await openStream(shop, buyer)).answer.status).toBe(200);
});

test("an event stream sends heartbeats, and closes when the member's session ends", async ({
  shop,
  seller,
}) => {
  const quick = await openShop({
    beside: shop,
    config: { httpTimeouts: { ...httpTimeouts, heartbeat: 50, sessionCheck: 100 } },
  });
  const { buyer } = await asked(shop, seller);
  const stream = await openStream(quick, buyer);
  await expect.poll(() => stream.text).toContain(": still here\n\n");
  const { identity, db } = shop.deps;
  await identity.sessions.endAll(db, buyer.email);
  await stream.ended;
  expect(stream.text).toContain(": still here");
  await quick.close();
});
