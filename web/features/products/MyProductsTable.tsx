import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { toast } from "sonner";
import type { SalesStatus } from "#contract/life-cycle.ts";
import { formatPrice } from "#contract/money.ts";
import {
  deleteProduct,
  listAdvertisedProducts,
  listSellerProducts,
  type OwnProduct,
  toggleAdvertise,
} from "#contract/products.ts";
import { listOf, useCall } from "#web/api.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { DeleteButton } from "#web/ui/DeleteButton.tsx";
import { EmptyDrawing } from "#web/ui/drawings.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { ProductName } from "#web/ui/ProductName.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { DealStanding, EndHoldButton } from "./DealStanding.tsx";

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
    cell: ({ product_name, deal }) => (
      <>
        <p className="font-medium">
          <ProductName name={product_name} />
        </p>
        {deal && <DealStanding deal={deal} />}
      </>
    ),
  },
  {
    header: "Price",
    cell: ({ resale_price }) => <span className="tabular-nums">{formatPrice(resale_price)}</span>,
  },
  { header: "Status", cell: ({ sales_status }) => <Status status={sales_status} /> },
  { header: "Advertise", cell: (product) => <AdvertiseButton product={product} /> },
  { header: "Action", cell: (product) => <Action product={product} /> },
];

/** A seller's own products (specification 2, /dashboard/myProducts). */
export function MyProductsTable({ email }: { email: string }) {
  const products = useInfiniteQuery(listOf(listSellerProducts, { params: { email } }));
  return (
    <QueryState
      query={products}
      skeleton={<TableSkeleton columns={columns} />}
      empty={
        <Notice title="You have not listed a laptop yet" drawing={<EmptyDrawing />}>
          <p>A photo, a price and a few honest words are enough.</p>
          <Link to={paths.addProduct()} className={buttonClass()}>
            Add Product
          </Link>
        </Notice>
      }
    >
      {(rows) => (
        <DataTable caption="My Products" columns={columns} rows={rows} keyOf={({ _id }) => _id} />
      )}
    </QueryState>
  );
}

const statusLooks: Record<SalesStatus, string> = {
  available: "bg-secondary text-secondary-content",
  booked: "bg-accent text-accent-content",
  sold: "bg-neutral text-neutral-content",
};

function Status({ status }: { status: SalesStatus }) {
  return (
    <span
      className={`rounded-full px-3 py-1 font-medium text-sm capitalize ${statusLooks[status]}`}
    >
      {status}
    </span>
  );
}

/** Only what is available can be advertised. */
function AdvertiseButton({ product }: { product: OwnProduct }) {
  const { _id, product_name, advertise, sales_status } = product;
  const isOn = advertise && sales_status !== "sold";
  const standing = isOn ? "Advertise On" : "Advertise Off";
  const toggle = useCall(toggleAdvertise, {
    changes: [listSellerProducts, listAdvertisedProducts],
  });
  return (
    <Button
      look="plain"
      size="small"
      busy={toggle.isPending}
      aria-label={`${standing}: ${product_name}`}
      disabled={sales_status !== "available"}
      onClick={() => toggle.mutate({ body: { id: _id, advertiseStatus: advertise } })}
    >
      <span className={isOn ? "switch switch-on" : "switch"} aria-hidden="true" />
      {standing}
    </Button>
  );
}

/** A laptop that is held or sold can't be deleted; an unpaid hold can be ended. */
function Action({ product }: { product: OwnProduct }) {
  const { deal } = product;
  if (!deal) return <DeleteProduct product={product} />;
  if (deal.state === "held") return <EndHoldButton product={product} deal={deal} />;
  return <span className="text-muted text-sm">Kept for your records</span>;
}

function DeleteProduct({ product: { _id, product_name } }: { product: OwnProduct }) {
  const remove = useCall(deleteProduct, {
    changes: [listSellerProducts, listAdvertisedProducts],
    onSuccess: () => toast.success(`Product ${product_name} deleted successfully`),
  });
  return (
    <DeleteButton
      name={product_name}
      busy={remove.isPending}
      onDelete={(done) => remove.mutate({ params: { id: _id } }, { onSettled: done })}
    />
  );
}
