import { createPaymentIntent } from "#contract/payments.ts";
import { anyCategory, goodLaptop, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { castOf, headersOf } from "../access-matrix/actors.ts";
import { type Stage, stageOf } from "../access-matrix/fixtures.ts";
import type { Known } from "./schema-arbitraries.ts";

/** A shop with people and their deals in it: who may ask, and what their requests can name. */
export type World = { known: Known; callers: { name: string; headers: Record<string, string> }[] };

export async function worldIn(shop: Shop): Promise<World> {
  const cast = await castOf(shop);
  const people = Object.entries(cast).flatMap(([kind, pair]) =>
    pair.flatMap((one, n) => (one ? [{ name: `${kind} ${n + 1}`, one }] : [])),
  );
  const members = await Promise.all(
    people.map(async ({ name, one }) => ({ name, headers: await headersOf(one) })),
  );
  const things = await thingsOf(
    shop,
    people.map(({ one }) => one),
  );
  return {
    known: (name) => things[name] ?? [],
    callers: [...members, { name: "visitor", headers: {} }],
  };

  async function thingsOf(shop: Shop, everybody: Person[]): Promise<Record<string, unknown[]>> {
    const stage = stageOf(shop, cast);
    const made = await dealsOf(stage);
    const ids = [
      ...made.products,
      ...made.bookings,
      ...made.reports,
      ...everybody.map(({ id }) => id),
    ];
    const price = goodLaptop.resale_price;
    return {
      id: [...ids, ...made.sessions],
      _id: made.products,
      productIds: made.products,
      objectId: ids,
      bookingId: made.bookings,
      productId: made.products,
      product_categoryId: [await anyCategory(shop)],
      email: everybody.map(({ email }) => email),
      img: made.images,
      photoURL: made.images,
      transactionId: made.intents,
      price: [price, String(price), price + 1],
      resale_price: [price, 1],
      original_price: [1829],
      use_duration: [30, "30"],
      yearOf_purchase: [2024],
      phone: ["5550177"],
      mobile_number: ["5550123"],
      advertiseStatus: [true, false],
    };
  }

  async function dealsOf(stage: Stage) {
    const { buyer, seller } = cast;
    const held = [await stage.booking(buyer[0]), await stage.booking(buyer[1] ?? buyer[0])];
    const [bookingId = ""] = held;
    const price = goodLaptop.resale_price;
    const intent = await buyer[0].call(createPaymentIntent, { body: { price, bookingId } });
    const products: string[] = [];
    for (let n = 0; n < 10; n += 1) products.push(await stage.product(seller[n % 2] ?? seller[0]));
    return {
      products,
      bookings: [
        ...held,
        await stage.paidBooking(buyer[0]),
        await stage.paidBooking(buyer[1] ?? buyer[0]),
        await stage.booking(buyer[0], "cancelled"),
      ],
      reports: [await stage.report(buyer[0], products[0] ?? "")],
      sessions: [await stage.session(buyer[0]), await stage.session(seller[0])],
      images: [await stage.image(seller[0]), await stage.image(seller[1] ?? seller[0])],
      intents: [intent.clientSecret.split("_secret_")[0]],
    };
  }
}
