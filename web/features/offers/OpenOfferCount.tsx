import { useInfiniteQuery } from "@tanstack/react-query";
import { listOffers } from "#contract/offers.ts";
import { listOf } from "#web/api/api.ts";

/** Shows how many offers wait for the member's answer, or if none do, how many are open. */
export default function OpenOfferCount() {
  const { data: open } = useInfiniteQuery(listOf(listOffers, { query: { open: "true" } }));
  if (open === undefined) return "Offers";
  if (open.length === 0) return "No open offers";
  const toAnswer = open.filter(({ mine }) => !mine).length;
  const count = toAnswer || open.length;
  const offers = count === 1 ? "offer" : "offers";
  return toAnswer > 0 ? `${count} ${offers} to answer` : `${count} open ${offers}`;
}
