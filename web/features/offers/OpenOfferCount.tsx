import { useInfiniteQuery } from "@tanstack/react-query";
import { listOffers } from "#contract/offers.ts";
import { listOf } from "#web/api/api.ts";

/** Says how many open offers there are, and how many of them the member can accept. */
export default function OpenOfferCount() {
  const { data: open } = useInfiniteQuery(listOf(listOffers, { query: { open: "true" } }));
  if (open === undefined) return "Offers";
  if (open.length === 0) return "No open offers";
  const toAnswer = open.filter(({ mine }) => !mine).length;
  const count = open.length === 1 ? "1 open offer" : `${open.length} open offers`;
  return toAnswer === 0 ? count : `${count}, ${toAnswer} to answer`;
}
