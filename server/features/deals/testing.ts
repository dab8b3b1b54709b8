import { makeOffer } from "#contract/offers.ts";
import type { Person } from "../../testing/people.ts";

/** Returns the new offer's id. */
export async function offerFor(buyer: Person, product: string, price = 500): Promise<string> {
  const contact = { phone: "5550177", location: "Union Station, under the clock" };
  const body = { product: { _id: product }, price, ...contact };
  return (await buyer.call(makeOffer, { body })).insertedId;
}
