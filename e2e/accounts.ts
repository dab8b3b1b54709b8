import { randomUUID } from "node:crypto";
import { send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import type { StatedFacts } from "#contract/facts.ts";
import { confirmHandover } from "#contract/handover.ts";
import { type AccountType, issueToken, joinAsMember } from "#contract/members.ts";
import { recordPayment } from "#contract/payments.ts";
import { addProduct } from "#contract/products.ts";
import { type Browser, openBrowser } from "#server/testing/browser.ts";
import { type CardProvider, cardProvider } from "#server/testing/cards.ts";
import {
  bookLaptop as book,
  type Caller,
  callsOver,
  draftListing,
  goodLaptop,
  newPhoto,
  openPayment,
  paymentFor,
} from "#server/testing/marketplace.ts";

export type Credentials = { name: string; email: string; password: string };

export function newCredentials(name: string): Credentials {
  return {
    name,
    email: `${name.toLowerCase()}-${randomUUID().slice(0, 8)}@example.com`,
    password: "Secret#2026",
  };
}

/** From demo/people.ts. All tests share these accounts. */
export const demoAccounts = {
  buyer: { name: "Nora Castellanos", email: "buyer@demo.test", password: "Demo#2026" },
  seller: { name: "Marta Lindqvist", email: "seller@demo.test", password: "Demo#2026" },
  admin: { name: "Robin Achterberg", email: "admin@demo.test", password: "Demo#2026" },
} satisfies Record<string, Credentials>;

export type Role = "visitor" | keyof typeof demoAccounts;

export type Member = Credentials &
  Caller & {
    cookie: { name: string; value: string };
  };

export async function registerMember(
  url: string,
  accountType: AccountType,
  who = newCredentials(accountType === "buyer" ? "Bertil" : "Selma"),
): Promise<Member> {
  const browser = await startSession(url, "/sign-up/email", who);
  const body = { name: who.name, email: who.email, accountType };
  await send(browser.connection, joinAsMember, { body });
  return createMember(url, who, browser);
}

export async function logInMember(url: string, who: Credentials): Promise<Member> {
  return createMember(url, who, await startSession(url, "/sign-in/email", who));
}

async function startSession(url: string, path: string, who: Credentials): Promise<Browser> {
  const browser = openBrowser(url);
  const answer = await browser.post(path, who);
  if (!answer.ok || browser.cookies() === "") {
    throw new Error(`${path} gave ${who.email} no session: ${await answer.text()}`);
  }
  return browser;
}

function createMember(url: string, who: Credentials, browser: Browser): Member {
  const token = async () => {
    const query = { email: who.email };
    return (await send(browser.connection, issueToken, { query })).body.accessToken;
  };
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(browser.cookies()) ?? [];
  return { ...who, cookie: { name, value }, ...callsOver({ host: `${url}/api`, fetch, token }) };
}

export type Laptop = typeof goodLaptop & { _id: string; category: string };

export async function uploadPhotos(seller: Member, count: number): Promise<string[]> {
  const addresses: string[] = [];
  for (let n = 0; n < count; n += 1) addresses.push(await newPhoto(seller));
  return addresses;
}

/** Returns only letters, because the shop could mask digits as a phone number. */
export function randomWord(): string {
  return randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
}

type Listed = typeof goodLaptop &
  Record<"category" | "img" | "serial_number", string> & { images: string[]; facts: StatedFacts };

/** Lists a laptop, by default in the first category. `images` are photo URLs. */
export async function listLaptop(
  seller: Member,
  { category, ...changes }: Partial<Listed> = {},
): Promise<Laptop> {
  const product_name = `ThinkPad ${randomWord()}`;
  const laptop = { ...goodLaptop, product_name, ...changes };
  const inCategory = category === undefined ? {} : { product_categoryId: category };
  const body = await draftListing(seller, { ...laptop, ...inCategory });
  const { insertedId } = await seller.call(addProduct, { body });
  return { ...laptop, category: body.product_categoryId, _id: insertedId };
}

export async function bookLaptop(buyer: Member, { _id, resale_price }: Laptop): Promise<string> {
  return await book(buyer, _id, { price: resale_price });
}

export async function cardsOf(member: Member): Promise<CardProvider> {
  const { cardScriptUrl } = await member.call(readConfig, {});
  return cardProvider(new URL(String(cardScriptUrl)).origin);
}

export type Purchase = { booking: string; transaction: string };

export async function buyLaptop(buyer: Member, laptop: Laptop, card?: string): Promise<Purchase> {
  const booking = await bookLaptop(buyer, laptop);
  return { booking, transaction: await payForBooking(buyer, booking, card) };
}

/** Holds the laptop, pays for it, and confirms the handover. */
export async function receiveLaptop(buyer: Member, laptop: Laptop): Promise<Purchase> {
  const purchase = await buyLaptop(buyer, laptop);
  await buyer.call(confirmHandover, { body: { id: purchase.booking } });
  return purchase;
}

/** Returns the transaction ID. */
export async function payForBooking(
  buyer: Member,
  booking: string,
  card?: string,
): Promise<string> {
  const intent = await openPayment(buyer, booking);
  await (await cardsOf(buyer)).pay(intent, card);
  await buyer.call(recordPayment, { body: paymentFor({ booking, intent }) });
  return intent;
}
