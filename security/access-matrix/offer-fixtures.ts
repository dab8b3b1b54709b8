import { newId } from "#server/db/ids.ts";
import type { Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { phoneOf } from "./actors.ts";

type Others = {
  product(seller: Person): Promise<string>;
  sidesOf(party: Person): { buyer: Person; seller: Person };
};

export function createOfferFixtures(shop: Shop, { product, sidesOf }: Others) {
  const { db } = shop.deps;

  async function offer(party: Person, which: "by" | "to") {
    const { buyer, seller } = sidesOf(party);
    const isBuyer = (party.id === buyer.id) === (which === "by");
    const at = shop.clock.now();
    const id = newId(at);
    const sides = { product_id: await product(seller), buyer_id: buyer.id, seller_id: seller.id };
    await db
      .insertInto("offers")
      .values({
        id,
        ...sides,
        made_by: isBuyer ? "buyer" : "seller",
        price_cents: 45_000,
        made_at: at,
        expires_at: new Date(at.getTime() + 3_600_000),
        phone: phoneOf(buyer),
        location: "Leeds station",
      })
      .execute();
    return id;
  }

  return { offer };
}
