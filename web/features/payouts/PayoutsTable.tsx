import { useQuery } from "@tanstack/react-query";
import { listPayouts, type Payout } from "#contract/payouts.ts";
import { formatPrice } from "#contract/price.ts";
import { queryOf } from "#web/api/api.ts";
import { type Column, DataTable } from "#web/ui/DataTable.tsx";
import { payoutStatus } from "./sale-status.ts";

const columns: Column<Payout>[] = [
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
      <DataTable
        caption="Payments to your bank"
        columns={columns}
        rows={data}
        keyOf={({ _id }) => _id}
      />
    </section>
  );
}
