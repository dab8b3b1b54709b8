import { setTimeout as wait } from "node:timers/promises";
import { listBookings } from "#contract/bookings.ts";
import { listCategoryProducts } from "#contract/categories.ts";
import { listAdvertisedProducts, listSellerProducts } from "#contract/products.ts";
import { anyCategory, createVisitor } from "#server/testing/people.ts";
import { at, isLive, isOverdue, type Model } from "./model.ts";
import type { World } from "./real-system.ts";

/** Throws if the orders and laptops that users see still differ from the model after retries. */
export async function compare(model: Model, world: World): Promise<void> {
  for (let patience = 400; ; patience -= 1) {
    const [expected, seen] = [lines(expectedOf(model, world)), lines(await seenBy(model, world))];
    if (expected === seen) return;
    if (patience === 0) throw new Error(`Expected\n${expected}\nbut this is seen:\n${seen}`);
    // The public cache is invalidated shortly after the commit (decisions/public-cache).
    await wait(5);
  }
}

const lines = (seen: string[]) => seen.sort().join("\n");

function expectedOf(model: Model, { products, bookings }: World): string[] {
  const seen = model.bookings.flatMap((booking, index) => {
    if (model.gone.has(booking.buyer)) return [];
    const { id, intent } = at(bookings, index);
    const paid = booking.state === "paid" || booking.state === "completed";
    const transaction = booking.money === "kept" ? intent : null;
    const state = isOverdue(model, booking) ? "expired" : booking.state;
    return `booking ${id} ${state} ${paid} ${transaction} ${isLive({ state })}`;
  });
  for (const [index, product] of model.products.entries()) {
    const id = at(products, index);
    if (product.deleted) continue;
    if (!model.sellerGone) seen.push(`own ${id} ${product.status} ${product.advertised}`);
    if (product.status !== "available") continue;
    seen.push(`public ${id}`);
    if (product.advertised) seen.push(`advertised ${id}`);
  }
  return seen;
}

async function seenBy(model: Model, world: World): Promise<string[]> {
  const { buyers, seller, shop, products } = world;
  const seen: string[] = [];
  for (const [index, buyer] of buyers.entries()) {
    if (model.gone.has(index)) continue;
    const orders = await buyer.call(listBookings, { params: { email: buyer.email } });
    for (const { _id, state, paid, transactionId, bookingProduct } of orders) {
      const contact = bookingProduct.sellerEmail !== undefined;
      seen.push(`booking ${_id} ${state} ${paid} ${transactionId} ${contact}`);
    }
  }
  if (!model.sellerGone) {
    const own = await seller.call(listSellerProducts, { params: { email: seller.email } });
    for (const { _id, sales_status, advertise } of own)
      seen.push(`own ${_id} ${sales_status} ${advertise}`);
  }
  const visitor = createVisitor(shop);
  const category = { params: { id: await anyCategory(shop) }, query: { limit: 100 } };
  const ours = ({ _id }: { _id: string }) => products.includes(_id);
  for (const { _id } of (await visitor.call(listCategoryProducts, category)).filter(ours))
    seen.push(`public ${_id}`);
  for (const { _id } of (await visitor.call(listAdvertisedProducts, {})).filter(ours))
    seen.push(`advertised ${_id}`);
  return seen;
}
