import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  dismissFlag,
  type FlaggedListing,
  type FlagReason,
  listFlaggedListings,
} from "#contract/flagged-listings.ts";
import type { ListingStatus } from "#contract/life-cycle.ts";
import { formatPrice } from "#contract/price.ts";
import { sellersPath } from "#web/admin-paths.ts";
import { listOf } from "#web/api/api.ts";
import { CallButton, ConfirmCallButton } from "#web/api/CallButton.tsx";
import { LaptopLink, ProductName } from "#web/domain/products/ProductName.tsx";
import { type Column, serialNumber } from "#web/ui/DataTable.tsx";
import { formatDate, formatMonths } from "#web/ui/format-dates-and-counts.ts";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { TakeDownButton } from "./TakeDownButton.tsx";

const columns: Column<FlaggedListing & { _id: string }>[] = [
  serialNumber(),
  {
    header: "Image",
    as: "photo",
    cell: ({ product: { img, product_name } }) => <Thumbnail img={img} alt={product_name} />,
  },
  {
    header: "Title",
    as: "title",
    cell: ({ product, reasons }) => (
      <>
        <p className="font-medium">
          {product.sales_status === "waiting" ? (
            <ProductName name={product.product_name} />
          ) : (
            <LaptopLink {...product} />
          )}
        </p>
        <p className="mt-1 text-sm tabular-nums">
          {formatPrice(product.resale_price)}, {statuses[product.sales_status]}
        </p>
        {reasons.includes("new") && (
          <p className="mt-1 max-w-md text-sm">
            <bdi>{product.description}</bdi>
          </p>
        )}
        <p className="mt-1 text-muted text-sm">
          <Link to={sellersPath(product.sellerEmail)} className="link-hover">
            <bdi>{product.seller_name}</bdi>
          </Link>
        </p>
      </>
    ),
  },
  {
    header: "Reason",
    cell: (flagged) => (
      <>
        {flagged.reasons.map((reason) => (
          <p key={reason}>
            <bdi>{sentences[reason](flagged)}</bdi>
          </p>
        ))}
        {flagged.resembles && (
          <p>
            The other listing: <LaptopLink {...flagged.resembles} />
            {", "}
            <bdi>{flagged.resembles.seller_name}</bdi>
          </p>
        )}
        <p className="mt-1 text-muted text-sm">{formatDate(flagged.flaggedAt)}</p>
      </>
    ),
  },
  {
    header: "Action",
    cell: ({ product, flaggedAt }) => (
      <div className="flex flex-wrap items-center gap-2">
        <TakeDownButton product={product} />
        {product.sales_status === "waiting" ? (
          <Approve product={product} flaggedAt={flaggedAt} />
        ) : (
          <Dismiss product={product} flaggedAt={flaggedAt} />
        )}
      </div>
    ),
  },
];

const statuses: Record<ListingStatus, string> = {
  available: "available",
  booked: "on hold",
  sold: "sold",
  waiting: "not on sale yet",
};

const sentences: Record<FlagReason, (flagged: FlaggedListing) => string> = {
  price: ({ product: { resale_price, original_price } }) =>
    `Offered for ${formatPrice(resale_price)}, new ${formatPrice(original_price)}.`,
  use: ({ product: { use_duration, yearOf_purchase } }) =>
    `Used for ${formatMonths(use_duration)}, bought in ${yearOf_purchase}.`,
  duplicate: () =>
    "The same seller offers a laptop with the same price and the same name or photo.",
  photo: () => "Another seller's listing has one of its photos.",
  contact: ({ contacts }) => `Its text has a contact: ${contacts.join(", ")}`,
  new: ({ product: { sales_status } }) =>
    sales_status === "waiting"
      ? "It waits for your approval."
      : "Its title, description or photos are not approved yet.",
};

export function FlaggedListingsTable() {
  const listings = useInfiniteQuery({
    ...listOf(listFlaggedListings, {}),
    select: ({ pages }) => pages.flatMap(({ body }) => body.map(withId)),
  });
  return (
    <QueryTable
      query={listings}
      caption="Listings to Check"
      columns={columns}
      emptyTitle="Nothing to check"
      empty="Listings with unlikely prices or dates, probable duplicates, and listings with phone numbers, email addresses or links in their text appear here. So do new and changed listings, if you approve listings before they are on sale."
    />
  );
}

function withId(flagged: FlaggedListing) {
  return { ...flagged, _id: flagged.product._id };
}

type DecisionProps = Pick<FlaggedListing, "product" | "flaggedAt">;

function Approve({ product: { _id, product_name }, flaggedAt }: DecisionProps) {
  return (
    <CallButton
      look="primary"
      aria-label={`Approve ${product_name}`}
      call={dismissFlag}
      request={{ params: { id: _id }, query: { flaggedAt } }}
      success={`${product_name} is on sale. We have told the seller.`}
    >
      Approve
    </CallButton>
  );
}

function Dismiss({ product: { _id, product_name }, flaggedAt }: DecisionProps) {
  return (
    <ConfirmCallButton
      look="plain"
      label={`Dismiss ${product_name}`}
      title="Dismiss this listing?"
      message={`${product_name} leaves this list, and stays on sale. It comes back with other unlikely numbers, another contact or another duplicate. If you approve listings, another title, description or photo brings it back, too.`}
      confirm="Dismiss"
      call={dismissFlag}
      request={{ params: { id: _id }, query: { flaggedAt } }}
      success={`${product_name} is no longer in the list.`}
    >
      Dismiss
    </ConfirmCallButton>
  );
}
