import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listBookings } from "#contract/bookings.ts";
import { listCategories, listCategoryProducts } from "#contract/categories.ts";
import { CallError } from "#contract/client.ts";
import { createPaymentIntent } from "#contract/payments.ts";
import { addProduct, listAdvertisedProducts } from "#contract/products.ts";
import { hashTables } from "#server/backup/tables.ts";
import { enqueue } from "#server/db/job-queue.ts";
import { openBrowser, signUpAt } from "#server/testing/browser.ts";
import { mailsTo } from "#server/testing/inbox.ts";
import { insertProduct } from "#server/testing/insert-product.ts";
import { bookLaptop, draftListing, photo, price } from "#server/testing/marketplace.ts";
import { createMember, type Person } from "#server/testing/people.ts";
import { sendPhoto } from "#server/testing/photos.ts";
import {
  chooseAtOidc,
  continueWithOidc,
  openCallback,
  providerAddress,
  startProviderSignIn,
} from "#server/testing/provider-sign-in.ts";
import type { Shop } from "#server/testing/shop.ts";
import { logResult, runOptions, sample } from "../run-options.ts";
import { type Outage, outages } from "./outage-proxy.ts";
import { type OutageShops, openOutageShops, sendCardsThrough } from "./outage-shops.ts";

const { long } = runOptions();

let shops: OutageShops;
let people: Map<Shop, { seller: Person; buyer: Person }>;

beforeAll(async () => {
  shops = await openOutageShops({ long });
  people = new Map();
  for (const shop of [shops.shop, shops.hosted])
    people.set(shop, {
      seller: await createMember(shop, { accountType: "seller" }),
      buyer: await createMember(shop),
    });
});
afterEach(() => Promise.all(Object.values(shops.proxies).map((proxy) => proxy.set(undefined))));
afterAll(() => shops.close());

function peopleOf(shop: Shop) {
  const found = people.get(shop);
  if (!found) throw new Error("a shop without people");
  return found;
}

/** What a person is told: the status, and the sentence or, for a redirect, its error code. */
type Told = { status: number; message: string };
type Attempt = () => Promise<Told>;

const done = (status = 200): Told => ({ status, message: "" });

const asTold = (error: unknown): Told => {
  if (error instanceof CallError) return { status: error.status, message: error.message };
  throw error;
};

async function toldBy(response: Response): Promise<Told> {
  if (response.ok) return done();
  const { message } = (await response.json()) as { message: string };
  return { status: response.status, message };
}

type Provider = {
  name: string;
  proxy: keyof OutageShops["proxies"];
  shop: () => Shop;
  /** Makes what the attempt needs, while the provider answers. */
  prepare(): Promise<Attempt>;
  told(outage: Outage): Told;
};

async function newLaptop(shop: Shop): Promise<string> {
  const { seller } = peopleOf(shop);
  return await insertProduct(shop.deps.db, shop.clock.now(), { seller_id: seller.id });
}

const providers: Provider[] = [
  {
    name: "cards",
    proxy: "cards",
    shop: () => shops.shop,
    async prepare() {
      const buyer = await createMember(shops.shop);
      const bookingId = await bookLaptop(buyer, await newLaptop(shops.shop));
      const body = { price, bookingId };
      return () => buyer.call(createPaymentIntent, { body }).then(() => done(), asTold);
    },
    told: () => ({
      status: 502,
      message:
        "The card provider does not answer just now. Nothing was charged twice; please try again in a minute.",
    }),
  },
  {
    name: "sign-in, at its start",
    proxy: "signIn",
    shop: () => shops.shop,
    async prepare() {
      // The discovery document is read again after an hour.
      shops.shop.clock.advance(61);
      return async () => toldBy(await startProviderSignIn(openBrowser(shops.shop.url), "oidc"));
    },
    told: () => ({
      status: 503,
      message: "We can't reach Acme right now. Try again in a minute, or log in with your email.",
    }),
  },
  {
    name: "sign-in, at its end",
    proxy: "signIn",
    shop: () => shops.shop,
    async prepare() {
      const email = `${randomUUID()}@acme.test`;
      const account = { sub: email, name: "Ada Lovelace", email, verified: true };
      const browser = openBrowser(shops.shop.url);
      const callback = await chooseAtOidc(await providerAddress(browser, "oidc"), account);
      let first = true;
      return async () => {
        const error = first
          ? await openCallback(browser, callback)
          : await continueWithOidc(browser, account);
        first = false;
        return { status: 302, message: error };
      };
    },
    // Shown as "We couldn't sign you in with Acme. Please try again."
    told: () => ({ status: 302, message: "invalid_code" }),
  },
  {
    name: "S3, uploading",
    proxy: "s3",
    shop: () => shops.shop,
    async prepare() {
      const bytes = await photo({ width: 160, height: 120 });
      const { seller } = peopleOf(shops.shop);
      return async () => {
        const { status, message = "" } = await sendPhoto(seller, bytes);
        return { status, message };
      };
    },
    told: () => ({
      status: 503,
      message: "We can't reach our photo storage just now. Please try again in a minute.",
    }),
  },
  {
    name: "S3, showing a photo",
    proxy: "s3",
    shop: () => shops.shop,
    async prepare() {
      const { img } = await draftListing(peopleOf(shops.shop).seller);
      return async () => toldBy(await fetch(img));
    },
    told: (outage) => ({
      status: 503,
      message:
        outage === "HTML" || outage === "other JSON"
          ? "This photo is damaged in our storage, so we can't show it."
          : "We can't reach our photo storage just now. Please try again in a minute.",
    }),
  },
  {
    name: "image host",
    proxy: "imageHost",
    shop: () => shops.hosted,
    async prepare() {
      const path = `/${randomUUID()}/photo.jpg`;
      shops.host.photos.set(path, { type: "image/jpeg", bytes: await photo() });
      const { seller } = peopleOf(shops.hosted);
      const img = shops.proxies.imageHost.url + path;
      const body = await draftListing(seller, { img });
      return () => seller.call(addProduct, { body }).then(() => done(), asTold);
    },
    told: (outage) =>
      outage === "HTML" || outage === "other JSON"
        ? {
            status: 400,
            message: "There is no photo at this address. Choose a JPEG, PNG, WebP or AVIF image.",
          }
        : {
            status: 503,
            message: "The image host does not answer just now. Please try again in a minute.",
          },
  },
];

/** Everything a person does that needs none of the providers. */
async function exerciseTheRest(shop: Shop): Promise<void> {
  const { seller, buyer } = peopleOf(shop);
  for (const path of ["/healthz", "/readyz"])
    expect((await fetch(`${shop.url}${path}`)).status).toBe(200);
  const [category] = await buyer.call(listCategories, {});
  await buyer.call(listCategoryProducts, { params: { id: category?._id ?? "" } });
  await buyer.call(listAdvertisedProducts, {});
  const visitor = await createMember(shop);
  const booking = await bookLaptop(visitor, await newLaptop(shop));
  const bookings = await visitor.call(listBookings, { params: { email: visitor.email } });
  expect(bookings.map(({ _id }) => _id)).toEqual([booking]);
  await signUpAt(shop.url, `${randomUUID()}@example.com`, "buyer");
  expect(seller.name).not.toBe("");
}

/** What a failed attempt must not have changed. */
async function stateOf({ pool }: Shop): Promise<Record<string, string | undefined>> {
  const client = await pool.connect();
  try {
    const hashes = await hashTables(client);
    const names = ["bookings", "images", "members", "payments", "products"];
    return Object.fromEntries(
      names.map((name) => [name, hashes[`public.${name}`] ?? hashes[name]]),
    );
  } finally {
    client.release();
  }
}

/** The answer, and after how many seconds it came; fails unless it comes before a slow provider's. */
async function inTime(attempt: Attempt): Promise<{ told: Told; seconds: number }> {
  const start = performance.now();
  const told = await attempt();
  return { told, seconds: (performance.now() - start) / 1_000 };
}

/** The longest the product lets anybody wait for a provider. */
const mostSeconds = 20;

const cells = providers.flatMap((provider) => outages.map((outage) => ({ provider, outage })));

describe.each(cells)("$provider.name, while it is $outage", ({ provider, outage }) => {
  test("what needs it is refused with a sentence and changes nothing, the rest works, and it recovers", async () => {
    const [shop, proxy] = [provider.shop(), shops.proxies[provider.proxy]];
    const attempt = await provider.prepare();
    const before = await stateOf(shop);
    await proxy.set(outage);
    const { told, seconds } = await inTime(attempt);
    expect(told).toEqual(provider.told(outage));
    expect(await stateOf(shop)).toEqual(before);
    if (long) expect(seconds).toBeLessThan(mostSeconds);
    await exerciseTheRest(shop);
    await proxy.set(undefined);
    await expect.poll(attempt).toMatchObject({ message: "" });
    logResult(`${provider.name}, ${outage}: ${told.status} after ${seconds.toFixed(1)} s`);
  });
});

describe.each(sample([...outages], 2))("mail, while it is %s", (outage) => {
  test("signing up works, and the email arrives afterwards", async () => {
    const { shop, proxies } = shops;
    await proxies.mail.set(outage);
    const email = `${randomUUID()}@example.com`;
    await signUpAt(shop.url, email, "buyer");
    const failed = async () => {
      const { rowCount } = await shop.pool.query(
        "select from graphile_worker.jobs where task_identifier = 'sendMail' and attempts > 0 and last_error is not null",
      );
      return rowCount;
    };
    await expect.poll(failed).toBeGreaterThan(0);
    await exerciseTheRest(shop);
    await proxies.mail.set(undefined);
    const start = performance.now();
    await expect.poll(async () => (await mailsTo(shop, email)).length).toBe(1);
    const seconds = (performance.now() - start) / 1_000;
    logResult(`mail, ${outage}: sent ${seconds.toFixed(1)} s after the outage`);
  });
});

test("buyers who wait for a slow card provider leave connections to everybody else, and beyond 100 they are refused at once", async () => {
  const { shop, proxies } = shops;
  const buyer = await createMember(shop);
  const bookingId = await bookLaptop(buyer, await newLaptop(shop));
  const open = () => buyer.call(createPaymentIntent, { body: { price, bookingId } });
  await open();
  // So long that only the end of the outage ends the calls.
  sendCardsThrough(shop, proxies.cards, 600_000);
  const { cards: timeoutMs } = shop.deps.config.providerTimeouts;
  onTestFinished(() => sendCardsThrough(shop, proxies.cards, timeoutMs));
  await proxies.cards.set("slow");
  let ended = 0;
  const crowd = Array.from({ length: 120 }, () =>
    open().then(
      () => (ended += 1),
      () => (ended += 1),
    ),
  );
  await expect.poll(() => ended).toBeGreaterThanOrEqual(20);
  await exerciseTheRest(shop);
  // The reconciling job, which runs each minute, may hold one of the 100 calls.
  expect(ended).toBeLessThanOrEqual(21);
  await proxies.cards.set(undefined);
  await Promise.all(crowd);
  await open();
});

test("a password reset is mailed before the many events that wait for a slow card provider", async () => {
  const { shop, proxies } = shops;
  const email = `${randomUUID()}@example.com`;
  await signUpAt(shop.url, email, "buyer");
  await expect.poll(async () => (await mailsTo(shop, email)).length).toBe(1);
  await proxies.cards.set("slow");
  for (let event = 0; event < 60; event += 1)
    await enqueue(shop.deps.db, "settleIntent", { payload: { intentId: `pi_${event}` } });
  await openBrowser(shop.url).post("/request-password-reset", { email });
  await expect.poll(async () => (await mailsTo(shop, email)).length).toBe(2);
  const { rowCount: waiting } = await shop.pool.query(
    "select from graphile_worker.jobs where task_identifier = 'settleIntent' and attempts = 0",
  );
  expect(waiting).toBeGreaterThan(0);
  await shop.pool.query(
    "select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'settleIntent' and locked_at is null))",
  );
});
