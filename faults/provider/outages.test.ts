import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createPaymentIntent } from "#contract/payments.ts";
import { addProduct } from "#contract/products.ts";
import { openBrowser, signUpAt } from "#server/testing/browser.ts";
import { mailsTo } from "#server/testing/inbox.ts";
import {
  bookLaptop,
  draftListing,
  newPhoto,
  photo,
  price,
  sendPhoto,
} from "#server/testing/marketplace.ts";
import { member } from "#server/testing/people.ts";
import {
  chooseAtOidc,
  continueWithOidc,
  openCallback,
  providerAddress,
  startProviderSignIn,
} from "#server/testing/provider-sign-in.ts";
import { logResult, runOptions, sample } from "../run-options.ts";
import {
  addPeople,
  asTold,
  done,
  exerciseTheRest,
  newLaptop,
  type PeopledShop,
  type Provider,
  testOutages,
  toldBy,
} from "./outage-cells.ts";
import { outages } from "./outage-proxy.ts";
import { type OutageShops, openOutageShops } from "./outage-shops.ts";

let shops: OutageShops;
let main: PeopledShop;
let hosted: PeopledShop;

beforeAll(async () => {
  shops = await openOutageShops(runOptions());
  main = await addPeople(shops.shop);
  hosted = await addPeople(shops.hosted);
});
afterEach(() => Promise.all(Object.values(shops.proxies).map((proxy) => proxy.set(undefined))));
afterAll(() => shops.close());

const providers: Provider[] = [
  {
    name: "cards",
    at: () => ({ people: main, proxy: shops.proxies.cards }),
    async prepare() {
      const buyer = await member(shops.shop);
      const bookingId = await bookLaptop(buyer, await newLaptop(main));
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
    name: "completing a sign-in",
    at: () => ({ people: main, proxy: shops.proxies.signIn }),
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
    // The page shows "We couldn't sign you in with Acme. Please try again."
    told: () => ({ status: 302, message: "invalid_code" }),
  },
  {
    name: "uploading to S3",
    at: () => ({ people: main, proxy: shops.proxies.s3 }),
    async prepare() {
      const bytes = await photo({ width: 160, height: 120 });
      const { seller } = main;
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
    name: "showing a photo from S3",
    at: () => ({ people: main, proxy: shops.proxies.s3 }),
    async prepare() {
      const img = await newPhoto(main.seller);
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
    at: () => ({ people: hosted, proxy: shops.proxies.imageHost }),
    async prepare() {
      const path = `/${randomUUID()}/photo.jpg`;
      shops.host.photos.set(path, { type: "image/jpeg", bytes: await photo() });
      const { seller } = hosted;
      const img = shops.proxies.imageHost.url + path;
      const body = await draftListing(seller, { img });
      return () => seller.call(addProduct, { body }).then(() => done(), asTold);
    },
    told: (outage) => ({
      status: 503,
      message: ["HTML", "other JSON", "cut off"].includes(outage)
        ? "The image host did not send the photo. Please try again in a minute; if that doesn't help, upload the photo again."
        : "The image host does not answer just now. Please try again in a minute.",
    }),
  },
  // Last, because completing a sign-in needs the discovery document, which expires in this test.
  {
    name: "starting a sign-in",
    at: () => ({ people: main, proxy: shops.proxies.signIn }),
    async prepare() {
      return async () => {
        // The shop reads the discovery document again after an hour.
        shops.shop.clock.advance(61);
        return await toldBy(await startProviderSignIn(openBrowser(shops.shop.url), "oidc"));
      };
    },
    told: () => ({
      status: 503,
      message: "We can't reach Acme right now. Try again in a minute, or log in with your email.",
    }),
  },
];

// "garbage" fails in the same way as "down": the request gets no HTTP response.
const brief = outages.filter((outage) => outage !== "garbage");
testOutages("every provider", providers, brief);

test.for(sample([...outages], 2))(
  "during the mail outage '%s', sign-up succeeds, and the email arrives after the outage",
  async (outage) => {
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
    await exerciseTheRest(main);
    await proxies.mail.set(undefined);
    const start = performance.now();
    await expect.poll(async () => (await mailsTo(shop, email)).length).toBe(1);
    const seconds = (performance.now() - start) / 1_000;
    logResult(`mail, ${outage}: sent ${seconds.toFixed(1)} s after the outage`);
  },
);
