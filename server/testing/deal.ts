import { toCents } from "#contract/price.ts";
import { give } from "./credits.ts";
import { insertLaptop } from "./insert-laptop.ts";
import { bookLaptop, goodLaptop, openPayment } from "./marketplace.ts";
import { member, type Person } from "./people.ts";
import { Sale } from "./sale.ts";
import { connectBank, hour, wait } from "./settlements.ts";
import type { Shop } from "./shop.ts";

/** A test card whose holder disputes the payment at once. */
export const disputing = "pm_card_createDisputeProductNotReceived";

type Terms = {
  /** By default, new members. */
  seller?: Person;
  buyer?: Person;
  /** A laptop for sale. By default, a new one without photo files. */
  product?: string;
  /** In dollars. */
  price?: number;
  /** The buyer's test card. */
  paidBy?: string;
  /** Dollars of credit that the buyer gets first. */
  credit?: number;
  /** The shop's fee when the laptop is held. */
  feePercent?: number;
  /** Whether the seller has connected a bank account. */
  bank?: boolean;
};

type Step = { after?: State; take(sale: Sale, terms: Terms): Promise<unknown> };
type State = "held" | "charged" | "paid" | "disputed" | "handedOver" | "complained" | "released";

const steps: Record<State, Step> = {
  held: { take: async () => {} },
  /** The provider has the money, but the buyer's browser has not reported it yet. */
  charged: { after: "held", take: ({ cards, intent }, { paidBy }) => cards.pay(intent, paidBy) },
  paid: { after: "charged", take: (sale) => sale.report() },
  disputed: { after: "paid", take: async () => {} },
  handedOver: { after: "paid", take: (sale) => sale.handOver() },
  complained: { after: "handedOver", take: (sale) => sale.complain() },
  /** The buyer's complaint period has ended, and the seller has been paid. */
  released: { after: "handedOver", take: ({ shop }) => wait(shop, 72 * hour) },
};

/** Uses the sandbox and the calls of the buyer and seller. */
export async function deal(shop: Shop, state: State, terms: Terms = {}): Promise<Sale> {
  const seller = terms.seller ?? (await member(shop, { accountType: "seller" }));
  const buyer = terms.buyer ?? (await member(shop));
  const { price = goodLaptop.resale_price, credit } = terms;
  if (credit !== undefined) await give(shop, buyer, credit);
  if (terms.bank ?? state === "released") await connectBank(shop.cards, seller);
  const product =
    terms.product ?? (await insertLaptop(shop, seller, { resale_cents: toCents(price) }));
  const { settlement } = shop.deps.config;
  const { feePercent = settlement.feePercent } = terms;
  shop.deps.config.settlement = { ...settlement, feePercent };
  const booking = await bookLaptop(buyer, product, { price }).finally(() => {
    shop.deps.config.settlement = settlement;
  });
  const intent = await openPayment(buyer, booking, price);
  const sale = new Sale(shop, { seller, buyer, product, booking, intent, price });
  await take(state, sale, { ...(state === "disputed" && { paidBy: disputing }), ...terms });
  return sale;
}

async function take(state: State, sale: Sale, terms: Terms): Promise<void> {
  const { after, take: last } = steps[state];
  if (after) await take(after, sale, terms);
  await last(sale, terms);
}
