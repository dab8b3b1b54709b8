import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { listPayouts, listSales, type Payout, type Sale } from "#contract/payouts.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf, queryOf } from "#web/api/api.ts";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { paths } from "#web/paths.ts";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { TextLink } from "#web/ui/Link.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { amountOf, payoutStatus, saleStatus } from "./sale-status.ts";

const columns: Column<Sale>[] = [
  {
    header: "Laptop",
    as: "title",
    cell: ({ product }) => <LaptopLink {...product} className="link-hover font-medium" />,
  },
  { header: "Paid", cell: ({ paidAt }) => <DateTime at={paidAt} /> },
  {
    header: "Where the money is",
    cell: (sale) => (
      <>
        {saleStatus(sale)}
        {sale.state === "complaint" && (
          <p>
            <TextLink to={paths.complaint(sale._id)}>
              {sale.returnBy ? "View the complaint" : "Answer"}
            </TextLink>
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

const payoutColumns: Column<Payout>[] = [
  { header: "Status", as: "title", cell: payoutStatus },
  { header: "Amount", as: "amount", cell: ({ amount }) => formatPrice(amount) },
];

export function PayoutsTable() {
  const { data = [] } = useQuery(queryOf(listPayouts, {}));
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="to-your-bank" className="mb-8">
      <h2 id="to-your-bank" className="mb-3 text-heading">
        To your bank
      </h2>
      <DataTable caption="Payments to your bank" columns={payoutColumns} rows={data} />
    </section>
  );
}
