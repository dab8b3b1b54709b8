import { useInfiniteQuery } from "@tanstack/react-query";
import { formatPrice } from "#contract/price.ts";
import {
  listSavedProductIds,
  listSavedProducts,
  type SavedProduct,
  setSavedProductEmails,
  unsaveProduct,
} from "#contract/saved-products.ts";
import { listOf } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { EmailsCheckbox } from "#web/domain/members/EmailsCheckbox.tsx";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { ButtonLink, TextLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";

const columns: Column<SavedProduct>[] = [
  serialNumber(),
  {
    header: "Image",
    as: "photo",
    cell: ({ product, product_name }) =>
      product && <Thumbnail img={product.img} alt={product_name} />,
  },
  {
    header: "Title",
    as: "title",
    cell: (saved) => (
      <>
        <LaptopLink {...saved} className="link-hover font-medium" />
        <p className="text-muted text-sm">
          <Status saved={saved} />
        </p>
      </>
    ),
  },
  { header: "Price", as: "amount", cell: (saved) => <Price saved={saved} /> },
  {
    header: "Action",
    cell: ({ _id, product_name }) => (
      <CallButton
        aria-label={`Remove: ${product_name}`}
        call={unsaveProduct}
        request={{ params: { id: _id } }}
      >
        Remove
      </CallButton>
    ),
  },
];

const statusTexts = { available: "Available", booked: "On hold", sold: "Sold" };

function Status({ saved: { product, bought } }: { saved: SavedProduct }) {
  if (bought)
    return (
      <>
        You bought this. <TextLink to={paths.myOrders()}>My Orders</TextLink>
      </>
    );
  return product ? statusTexts[product.sales_status] : "No longer for sale";
}

export function SavedProductsTable() {
  const saved = useInfiniteQuery(listOf(listSavedProducts, {}));
  return (
    <QueryState
      query={saved}
      skeleton={<TableSkeleton columns={columns} />}
      empty={
        <Notice title="You haven't saved a laptop yet" drawing>
          <p>Press Save on a laptop's page to keep an eye on its price.</p>
          <ButtonLink to={paths.search()}>Search laptops</ButtonLink>
        </Notice>
      }
    >
      {(rows) => (
        <>
          {/* The shop sends no emails about laptops that the member bought. */}
          {rows.some(({ bought }) => !bought) && (
            <div className="mb-6">
              <EmailsCheckbox
                read={listSavedProductIds}
                change={setSavedProductEmails}
                label="Email me about price drops and sales, at most once a day"
              />
            </div>
          )}
          <DataTable caption="Saved laptops" columns={columns} rows={rows} />
        </>
      )}
    </QueryState>
  );
}

function Price({ saved: { product, savedPrice } }: { saved: SavedProduct }) {
  if (!product) return formatPrice(savedPrice);
  const change = product.resale_price - savedPrice;
  const word = change < 0 ? "less" : "more";
  return (
    <>
      {formatPrice(product.resale_price)}
      {change !== 0 && (
        <p className="text-muted text-sm">{`${formatPrice(Math.abs(change))} ${word} than when you saved it`}</p>
      )}
    </>
  );
}
