import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listStatementYears, readStatement, type Sale } from "#contract/payouts.ts";
import { shopCurrency } from "#contract/price.ts";
import { browserApi, queryOf, useMutationOnce } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { toast } from "#web/ui/toast.ts";
import { amountOf, saleStatus } from "./sale-status.ts";

export function Statement() {
  const { data: years = [] } = useQuery(queryOf(listStatementYears, {}));
  const [chosen, choose] = useState<number>();
  const download = useMutationOnce({
    mutationFn: async (of: number) => {
      const { body } = await browserApi(readStatement, { query: { year: of } });
      downloadFile(`sales-${of}.csv`, new Blob([statementCsv(body)], { type: "text/csv" }));
    },
    onError: ({ message }) => toast.error(message),
  });
  const year = chosen ?? years[0];
  if (year === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      {years.length > 1 && (
        <select
          className="select w-24"
          aria-label="Year"
          value={year}
          onChange={({ target }) => choose(Number(target.value))}
        >
          {years.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      <Button
        look="plain"
        size="small"
        busy={download.isPending}
        onClick={() => download.mutate(year)}
      >
        Download {year} statement
      </Button>
    </div>
  );
}

const header = [
  "Paid",
  "Laptop",
  "Currency",
  "Price",
  "Fee",
  "Refunded",
  "You get",
  "Sent",
  "Status",
];

/** Sales as CSV (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8. */
export function statementCsv(sales: Sale[]): string {
  const rows = sales.map((sale) => [
    sale.paidAt.slice(0, 10),
    sale.product.product_name,
    shopCurrency(),
    ...[sale.price, sale.fee, sale.refunded, amountOf(sale), sale.sent].map((amount) =>
      amount.toFixed(2),
    ),
    saleStatus(sale),
  ]);
  return `\uFEFF${[header, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Quotes a CSV cell. An apostrophe keeps spreadsheets from running text as a formula. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
