import { createPaymentIntent } from "#contract/payments.ts";
import { goodLaptop } from "#server/testing/marketplace.ts";
import { anyCategory, type Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { createMembers, headersOf } from "../access-matrix/actors.ts";
import { createFixtures, type Fixtures } from "../access-matrix/fixtures.ts";
import type { Known } from "./schema-arbitraries.ts";

export type World = { known: Known; callers: { name: string; headers: Record<string, string> }[] };

export async function worldIn(shop: Shop): Promise<World> {
  const members = await createMembers(shop);
  const people = Object.entries(members).flatMap(([kind, pair]) =>
    pair.flatMap((one, n) => (one ? [{ name: `${kind} ${n + 1}`, one }] : [])),
  );
  const signedIn = await Promise.all(
    people.map(async ({ name, one }) => ({ name, headers: await headersOf(one) })),
  );
  const things = await thingsOf(
    shop,
    people.map(({ one }) => one),
  );
  return {
    known: (name) => things[name] ?? [],
    callers: [...signedIn, { name: "visitor", headers: {} }],
  };

  async function thingsOf(shop: Shop, everybody: Person[]): Promise<Record<string, unknown[]>> {
    const fixtures = createFixtures(shop, members);
    const made = await dealsOf(fixtures);
    const ids = [
      ...made.products,
      ...made.bookings,
      ...made.reports,
      ...made.offers,
      ...made.conversations,
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
      images: made.images,
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

  async function dealsOf(fixtures: Fixtures) {
    const { buyer, seller } = members;
    const held = [await fixtures.booking(buyer[0]), await fixtures.booking(buyer[1] ?? buyer[0])];
    const [bookingId = ""] = held;
    const price = goodLaptop.resale_price;
    const intent = await buyer[0].call(createPaymentIntent, { body: { price, bookingId } });
    const products: string[] = [];
    for (let n = 0; n < 10; n += 1)
      products.push(await fixtures.product(seller[n % 2] ?? seller[0]));
    return {
      products,
      bookings: [
        ...held,
        await fixtures.paidBooking(buyer[0]),
        await fixtures.paidBooking(buyer[1] ?? buyer[0]),
        await fixtures.booking(buyer[0], "cancelled"),
        await fixtures.complaint(),
      ],
      offers: [await fixtures.offer(buyer[0], "by"), await fixtures.offer(buyer[0], "to")],
      conversations: [await fixtures.conversation(buyer[0])],
      reports: [await fixtures.report(buyer[0], products[0] ?? "")],
      sessions: [await fixtures.session(buyer[0]), await fixtures.session(seller[0])],
      images: [await fixtures.image(seller[0]), await fixtures.image(seller[1] ?? seller[0])],
      intents: [intent.clientSecret.split("_secret_")[0]],
    };
  }
}
