import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import type { ListingStatus } from "#contract/life-cycle.ts";
import { formatPrice } from "#contract/price.ts";
import { listSellerProducts, type OwnProduct } from "#contract/products.ts";
import { listOf } from "#web/api/api.ts";
import { type NextStep, ToDo, useOpenTasks } from "#web/domain/deals/ToDo.tsx";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { DealStatus } from "./DealStatus.tsx";
import { AdvertiseButton, nextProductStep } from "./OwnListingActions.tsx";

const statusLooks: Record<ListingStatus, string> = {
  available: "bg-secondary text-secondary-content",
  waiting: "bg-secondary text-secondary-content",
  booked: "bg-accent text-accent-content",
  sold: "bg-neutral text-neutral-content",
};

const columns: Column<OwnProduct>[] = [
  serialNumber(),
  {
    header: "Image",
    as: "photo",
    cell: ({ img, product_name }) => <Thumbnail img={img} alt={product_name} />,
  },
  {
    header: "Title",
    as: "title",
    cell: ({ _id, product_name, resale_price, deal, sales_status }) => (
      <>
        <p className="font-medium">
          <Link
            to={
              sales_status === "waiting" ? paths.editProduct(_id) : paths.laptop(_id, product_name)
            }
            className="link-hover"
          >
            <ProductName name={product_name} />
          </Link>
        </p>
        {sales_status === "waiting" && (
          <p className="text-muted text-sm">On sale once we have approved it.</p>
        )}
        {deal && <DealStatus deal={deal} listPrice={resale_price} />}
      </>
    ),
  },
  {
    header: "Price",
    as: "amount",
    cell: ({ deal, resale_price }) => formatPrice(deal?.price ?? resale_price),
  },
  {
    header: "Status",
    cell: ({ sales_status }) => (
      <span
        className={`rounded-full px-3 py-1 font-medium text-sm capitalize ${statusLooks[sales_status]}`}
      >
        {sales_status}
      </span>
    ),
  },
  {
    header: "Advertise",
    cell: (product) =>
      product.sales_status === "available" && <AdvertiseButton product={product} />,
  },
  { header: "Action", cell: (product) => <Action product={product} /> },
];

const soldColumns = columns.filter(({ header }) => header !== "Advertise");

/** Loaded after the table, because the menu includes dialogs. */
const ProductMenu = lazy(() => import("./ProductMenu.tsx").catch(() => ({ default: () => null })));

export function MyProductsTable({ email }: { email: string }) {
  const products = useInfiniteQuery(listOf(listSellerProducts, { params: { email } }));
  const tasks = useOpenTasks("seller");
  // Waits for the tasks too. Otherwise the to-do list would appear later and push the table down.
  const query = tasks ? products : { ...products, data: undefined };
  return (
    <QueryState
      query={query}
      skeleton={<TableSkeleton columns={columns} />}
      empty={
        <Notice title="You haven't listed a laptop yet" drawing>
          <p>All you need is a photo, a price and an honest description.</p>
          <ButtonLink to={paths.addProduct()}>Add Product</ButtonLink>
        </Notice>
      }
    >
      {(rows) => <Listings rows={rows} tasks={tasks} />}
    </QueryState>
  );
}

/**
 * The most urgent listings come first. Completed sales have a list of their own, except those in
 * which the seller must answer a complaint or take the laptop back.
 */
function Listings({ rows, tasks = [] }: { rows: OwnProduct[]; tasks?: NextStep[] | undefined }) {
  const sold = rows.filter(
    ({ deal }) => deal?.state === "completed" && !deal.returnBy && !deal.complaint?.answerBy,
  );
  const open = rows.filter((product) => !sold.includes(product));
  const byUrgency = open.toSorted((one, other) => urgencyOf(other) - urgencyOf(one));
  return (
    <>
      <ToDo steps={[...tasks, ...[...byUrgency, ...sold].map(nextProductStep)]} />
      {open.length > 0 && <DataTable caption="My Products" columns={columns} rows={byUrgency} />}
      {sold.length > 0 && (
        <details className="mt-6" open={open.length === 0}>
          <summary className="unfold link-hover">
            <Icon name="chevron-right" className="size-4" />
            Sold and handed over ({sold.length})
          </summary>
          <div className="mt-4">
            <DataTable caption="Sold products" columns={soldColumns} rows={sold} />
          </div>
        </details>
      )}
    </>
  );
}

/** Higher comes first: a complaint to answer, a paid laptop, a deal without an agreed meeting. */
function urgencyOf({ deal }: OwnProduct): number {
  if (deal?.complaint?.answerBy) return 3;
  if (deal?.state === "paid") return 2;
  return deal && deal.meeting?.state !== "agreed" ? 1 : 0;
}

function Action({ product }: { product: OwnProduct }) {
  const step = nextProductStep(product);
  return (
    <div className="flex items-center gap-1">
      {step && (
        <ButtonLink
          to={step.to}
          look={product.deal ? "primary" : "plain"}
          size="small"
          aria-label={`${step.label}: ${product.product_name}`}
        >
          {step.label}
        </ButtonLink>
      )}
      <Suspense fallback={<span className="size-8" />}>
        <ProductMenu product={product} />
      </Suspense>
    </div>
  );
}
