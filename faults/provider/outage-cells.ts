import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import { listCategories, listCategoryProducts } from "#contract/categories.ts";
import { CallError } from "#contract/client.ts";
import { listAdvertisedProducts } from "#contract/products.ts";
import { findSessions } from "#server/adapters/identity/testing.ts";
import { hashTables } from "#server/backup/tables.ts";
import { signUpAt } from "#server/testing/browser.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { bookLaptop } from "#server/testing/marketplace.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { logResult, runOptions } from "../run-options.ts";
import { type Outage, type OutageProxy, outages } from "./outage-proxy.ts";

/** For a redirect, `message` is the error code. */
export type Told = { status: number; message: string };
export type Attempt = () => Promise<Told>;

export const done = (status = 200): Told => ({ status, message: "" });

export const asTold = (error: unknown): Told => {
  if (error instanceof CallError) return { status: error.status, message: error.message };
  throw error;
};

export async function toldBy(response: Response): Promise<Told> {
  if (response.ok) return done();
  const { message } = (await response.json()) as { message: string };
  return { status: response.status, message };
}

export type PeopledShop = { shop: Shop; seller: Person; buyer: Person };

export async function addPeople(shop: Shop): Promise<PeopledShop> {
  const seller = await member(shop, { accountType: "seller" });
  return { shop, seller, buyer: await member(shop) };
}

export async function newLaptop({ shop, seller }: Pick<PeopledShop, "shop" | "seller">) {
  return await insertLaptop(shop, seller);
}

export type Provider = {
  name: string;
  at: () => { people: PeopledShop; proxy: OutageProxy };
  /** Creates what the attempt needs. Called before the outage begins. */
  prepare(): Promise<Attempt>;
  told(outage: Outage): Told;
};

/** Makes calls that need none of the providers. */
export async function exerciseTheRest({ shop, seller, buyer }: PeopledShop): Promise<void> {
  for (const path of ["/healthz", "/readyz"])
    expect((await fetch(`${shop.url}${path}`)).status).toBe(200);
  const [category] = await buyer.call(listCategories, {});
  await buyer.call(listCategoryProducts, { params: { id: category?._id ?? "" } });
  await buyer.call(listAdvertisedProducts, {});
  const visitor = await member(shop);
  const booking = await bookLaptop(visitor, await newLaptop({ shop, seller }));
  const bookings = await visitor.call(listBookings, { params: { email: visitor.email } });
  expect(bookings.map(({ _id }) => _id)).toEqual([booking]);
  if (!shop.deps.identity.firebase)
    await signUpAt(shop.url, `${randomUUID()}@example.com`, "buyer");
}

const keptTables =
  /^(public\.(bookings|images|members|payments|products)|identity\W+(user|account)"?)$/;

/** Returns hashes of the tables that a failed attempt must not change, and counts sessions. */
async function stateOf({ pool, deps }: Shop): Promise<Record<string, string | undefined>> {
  const client = await pool.connect();
  try {
    const hashes = await hashTables(client);
    const kept = Object.entries(hashes).filter(([name]) => keptTables.test(name));
    expect(kept).toHaveLength(7);
    const sessions = String((await findSessions(deps.db)).length);
    return { ...Object.fromEntries(kept), sessions };
  } finally {
    client.release();
  }
}

async function inTime(attempt: Attempt): Promise<{ told: Told; seconds: number }> {
  const start = performance.now();
  const told = await attempt();
  return { told, seconds: (performance.now() - start) / 1_000 };
}

const maxSeconds = 20;

/**
 * For each kind of outage, breaks all the providers at once, and tests calls that need them and
 * calls that don't. `npm test` tries only the `brief` outages.
 */
export function testOutages(what: string, providers: Provider[], brief: readonly Outage[]): void {
  const { long } = runOptions();
  test.for(long ? outages : brief)(
    `during the outage '%s' of ${what}, calls that need a provider fail with a message and change nothing, other calls succeed, and the shop recovers`,
    async (outage) => {
      const places = providers.map(({ at }) => at());
      const shops = [...new Set(places.map(({ people }) => people))];
      const proxies = [...new Set(places.map(({ proxy }) => proxy))];
      const states = () => Promise.all(shops.map(({ shop }) => stateOf(shop)));
      const attempts: Attempt[] = [];
      for (const { prepare } of providers) attempts.push(await prepare());
      const before = await states();

      await Promise.all(proxies.map((proxy) => proxy.set(outage)));
      for (const [index, { name, told: expected }] of providers.entries()) {
        const { told, seconds } = await inTime(attempts[index] as Attempt);
        expect(told, name).toEqual(expected(outage));
        if (long) expect(seconds, name).toBeLessThan(maxSeconds);
        logResult(`${name}, ${outage}: ${told.status} after ${seconds.toFixed(1)} s`);
      }
      expect(await states()).toEqual(before);
      for (const people of shops) await exerciseTheRest(people);

      await Promise.all(proxies.map((proxy) => proxy.set(undefined)));
      for (const attempt of attempts) await expect.poll(attempt).toMatchObject({ message: "" });
    },
  );
}
