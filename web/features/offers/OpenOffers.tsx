import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listOffers } from "#contract/offers.ts";
import { listOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";

/** Says how many open offers there are, and how many of them the member can accept. */
export default function OpenOffers({ product }: { product?: string }) {
  const { data: open = [] } = useInfiniteQuery(
    listOf(listOffers, { query: { open: "true", ...(product && { product }) } }),
  );
  if (open.length === 0) return null;
  const toAnswer = open.filter(({ mine }) => !mine).length;
  const count = open.length === 1 ? "1 open offer" : `${open.length} open offers`;
  return (
    <p className="mb-4">
      <Link to={paths.offers()} className="link">
        {toAnswer === 0 ? count : `${count}, ${toAnswer} to answer`}
      </Link>
    </p>
  );
}
