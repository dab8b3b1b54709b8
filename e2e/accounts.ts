import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { bookProduct } from "#contract/bookings.ts";
import type { Answer, Call, Request } from "#contract/call.ts";
import { listCategories } from "#contract/categories.ts";
import { send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import {
  type AccountType,
  issueToken,
  joinAsMember,
  listSellers,
  toggleSellerStatus,
} from "#contract/members.ts";
import { createPaymentIntent, recordPayment } from "#contract/payments.ts";
import { addProduct } from "#contract/products.ts";

/** An account's name, email and password. */
export type Credentials = { name: string; email: string; password: string };

/** Credentials with an unused email address. */
export function newCredentials(name: string): Credentials {
  return {
    name,
    email: `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`,
    password: "Secret#2026",
  };
}

/** The demo accounts (docs/contract.md); tests only read with them. */
export const demoAccounts = {
  buyer: { name: "Nora Castellanos", email: "buyer@demo.test", password: "Demo#2026" },
  seller: { name: "Marta Lindqvist", email: "seller@demo.test", password: "Demo#2026" },
  admin: { name: "Robin Achterberg", email: "admin@demo.test", password: "Demo#2026" },
} satisfies Record<string, Credentials>;

export type Role = "visitor" | keyof typeof demoAccounts;

/** A signed-in member who makes API calls, for the setup of a browser test. */
export type Member = Credentials & {
  /** The session cookie. */
  cookie: { name: string; value: string };
  call<C extends Call>(call: C, request: Request<C>): Promise<Answer<C>>;
  upload(photo: Buffer): Promise<string>;
};

/** Registers a new buyer or seller. */
export async function registerMember(
  url: string,
  accountType: AccountType,
  who = newCredentials(accountType === "buyer" ? "Bertil" : "Selma"),
): Promise<Member> {
  const cookie = await startSession(url, "/sign-up/email", who);
  const body = { name: who.name, email: who.email, accountType };
  await send(connectionFor(url, cookie), joinAsMember, { body });
  return await createMember(url, who, cookie);
}

/** Logs an existing member in. */
export async function logInMember(url: string, who: Credentials): Promise<Member> {
  return await createMember(url, who, await startSession(url, "/sign-in/email", who));
}

async function startSession(
  url: string,
  path: string,
  who: Credentials,
): Promise<Member["cookie"]> {
  const answer = await fetch(`${url}/api/auth${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify(who),
  });
  const [set = ""] = answer.headers.getSetCookie();
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
  if (name === "") throw new Error(`${path} gave ${who.email} no cookie: ${await answer.text()}`);
  return { name, value };
}

function connectionFor(url: string, { name, value }: Member["cookie"]) {
  const proven: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, cookie: `${name}=${value}` } });
  return { host: `${url}/api`, fetch: proven };
}

async function createMember(
  url: string,
  who: Credentials,
  cookie: Member["cookie"],
): Promise<Member> {
  const token = async () => {
    const proven = connectionFor(url, cookie);
    return (await send(proven, issueToken, { query: { email: who.email } })).body.accessToken;
  };
  return {
    ...who,
    cookie,
    call: async (call, request) =>
      (await send({ host: `${url}/api`, fetch, token }, call, request)).body,
    upload: async (photo) => {
      const body = new FormData();
      body.append("image", new Blob([new Uint8Array(photo)]), "laptop.jpg");
      const headers = { authorization: `Bearer ${await token()}` };
      const init = { method: "POST", body, headers };
      const answer = await fetch(`${url}/api/images/1/upload?key=embedded`, init);
      return ((await answer.json()) as { data: { url: string } }).data.url;
    },
  };
}

/** A listed laptop. */
export type Laptop = typeof described & { _id: string; product_name: string; category: string };

const described = {
  condition: "Good" as const,
  resale_price: 480,
  original_price: 1459,
  use_duration: 31,
  location: "Portland, OR",
  yearOf_purchase: 2023,
  mobile_number: "5550142",
  description: "Battery at 91 %. One key is shiny. Charger and sleeve included.",
};

/** Lists a laptop with a unique name, by default in the first category. */
export async function listLaptop(
  seller: Member,
  changes: Partial<typeof described & { category: string; product_name: string }> = {},
): Promise<Laptop> {
  const [first] = await seller.call(listCategories, {});
  if (!first) throw new Error("there is no category to sell in");
  const product_name = `ThinkPad ${randomUUID().slice(0, 8)}`;
  const laptop = { ...described, category: first._id, product_name, ...changes };
  const img = await seller.upload(await photo(320, 240));
  const body = { ...laptop, product_categoryId: laptop.category, img };
  const { insertedId } = await seller.call(addProduct, { body });
  return { ...laptop, _id: insertedId };
}

/** Books a laptop; returns the booking's id. */
export async function bookLaptop(buyer: Member, { _id, resale_price }: Laptop): Promise<string> {
  const where = { phone: "5550177", location: "Union Station, under the clock" };
  const body = { ...where, price: resale_price, bookingProduct: { _id } };
  return (await buyer.call(bookProduct, { body })).insertedId;
}

/** Pays for a booking by test card; returns the transaction id. */
export async function payForBooking(
  buyer: Member,
  bookingId: string,
  price: number,
): Promise<string> {
  const { cardScriptUrl, cardPublishableKey } = await buyer.call(readConfig, {});
  const { clientSecret } = await buyer.call(createPaymentIntent, { body: { price, bookingId } });
  const [transactionId = ""] = clientSecret.split("_secret_");
  await fetch(new URL(`/v1/payment_intents/${transactionId}/confirm`, String(cardScriptUrl)), {
    method: "POST",
    headers: { authorization: `Bearer ${cardPublishableKey}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: "pm_card_visa" }),
  });
  await buyer.call(recordPayment, { body: { price, transactionId, bookingId } });
  return transactionId;
}

/** Marks a seller as verified. */
export async function verify(admin: Member, { email }: Credentials): Promise<void> {
  const sellers = await admin.call(listSellers, {});
  const found = sellers.find((seller) => seller.email === email);
  if (!found) throw new Error(`${email} is no seller`);
  const { _id: id, verify } = found;
  await admin.call(toggleSellerStatus, { body: { id, email, verify } });
}

/** A photo of one random colour. */
export async function photo(width: number, height: number): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = Buffer.from(randomUUID());
  const background = { r, g, b };
  return await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}
