import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { listSales, type Sale } from "#contract/payouts.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf } from "#web/api/api.ts";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { amountOf, saleStatus } from "./sale-status.ts";

const columns: Column<Sale>[] = [
  {
    header: "Laptop",
    as: "title",
    cell: ({ product }) => <LaptopLink product={product} className="link-hover font-medium" />,
  },
  { header: "Paid", cell: ({ paidAt }) => <DateTime at={paidAt} /> },
  {
    header: "Where the money is",
    cell: (sale) => (
      <>
        {saleStatus(sale)}
        {sale.state === "complaint" && (
          <p>
            <Link to={paths.complaint(sale._id)} className="link">
              {sale.returnBy ? "View the complaint" : "Answer"}
            </Link>
          </p>
        )}
      </>
    ),
  },
  {
    header: "You get",
    as: "amount",
    cell: (sale) => (
      <>
        {formatPrice(amountOf(sale))}
        {sale.returned > 0 && sale.refunded === 0 && sale.state !== "refunding" && (
          <p className="text-muted text-sm">
            without the buyer's {formatPrice(sale.returned)} discount, which we took back
          </p>
        )}
        {sale.fee > 0 && <p className="text-muted text-sm">after {formatPrice(sale.fee)} fee</p>}
      </>
    ),
  },
];

export function SalesTable() {
  const sales = useInfiniteQuery(listOf(listSales, {}));
  return (
    <QueryTable
      query={sales}
      caption="Your sales"
      columns={columns}
      emptyTitle="No sales yet"
      empty={
        <p>Once a buyer has paid for one of your laptops, you'll see here where the money is.</p>
      }
    />
  );
}
