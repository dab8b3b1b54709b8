import { expect } from "vitest";
import { bookProduct } from "#contract/bookings.ts";
import { CallError } from "#contract/client.ts";
import { recordPayment } from "#contract/payments.ts";
import type { CardProvider } from "#server/testing/cards.ts";
import { shopTest } from "#server/testing/fixtures.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { openPayment, orderFor, paymentFor } from "#server/testing/marketplace.ts";
import { member, type Person } from "#server/testing/people.ts";
import { violationsIn } from "./invariants.ts";
import { logResult, runOptions } from "./run-options.ts";

const { buyers, units } = runOptions().long ? { buyers: 100, units: 40 } : { buyers: 8, units: 6 };

const test = shopTest({ sandbox: true, worker: true });

test(`each of ${units} laptops is sold once if ${buyers} buyers try to book every laptop at the same time`, async ({
  shop,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const people: Person[] = [];
  const laptops: string[] = [];
  for (let i = 0; i < buyers; i += 1) people.push(await member(shop));
  for (let i = 0; i < units; i += 1) laptops.push(await insertLaptop(shop, seller));

  const from = Date.now();
  const asked = await Promise.all(
    laptops.flatMap((laptop) => people.map((buyer) => book(buyer, laptop))),
  );
  const seconds = (Date.now() - from) / 1_000;
  // A retry gets 200 if an earlier attempt already booked the laptop.
  const got = asked.filter(({ told }) => told === "201" || told === "200");
  const count = (told: string) => asked.filter((one) => one.told === told).length;
  const [taken, enough] = [count("409 PRODUCT_TAKEN"), count("409 TOO_MANY_HOLDS")];

  const paid = await Promise.all(got.map(({ buyer, id }) => pay(shop.cards, buyer, id)));
  const acknowledged = [
    ...got.map(({ id }) => ({ verb: "hold", id })),
    ...paid.map((id) => ({ verb: "settle", id })),
  ];
  const broken = await violationsIn(shop, acknowledged);
  logResult(
    `${buyers} buyers × ${units} laptops: ${asked.length} requests at once in ${seconds.toFixed(1)} s, ${got.length} sold, ${taken} refused as taken, ${enough} refused for too many holds, ${asked.length - got.length - taken - enough} answered otherwise.`,
  );
  expect(got).toHaveLength(units);
  expect(new Set(got.map(({ laptop }) => laptop)).size).toBe(units);
  expect(taken + enough + got.length).toBe(asked.length);
  expect(broken).toEqual([]);
});

type Booked = { buyer: Person; laptop: string; told: string; id: string };

async function book(buyer: Person, laptop: string, repeats = 20): Promise<Booked> {
  const asked = buyer.send(bookProduct, { body: orderFor(laptop) });
  const { told, id } = await asked.then(
    ({ status, body }) => ({ told: String(status), id: body.insertedId }),
    (error: unknown) => {
      if (!(error instanceof CallError)) throw error;
      return { told: `${error.status} ${error.code}`, id: "" };
    },
  );
  const isBusy = told === "503 UNAVAILABLE" && repeats > 0;
  return isBusy ? await book(buyer, laptop, repeats - 1) : { buyer, laptop, told, id };
}

async function pay(cards: CardProvider, buyer: Person, booking: string): Promise<string> {
  const intent = await openPayment(buyer, booking);
  await cards.pay(intent);
  const body = paymentFor({ intent, booking });
  return (await buyer.call(recordPayment, { body })).insertedId;
}
