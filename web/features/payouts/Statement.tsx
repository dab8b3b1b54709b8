import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listStatementYears, readStatement, type Sale } from "#contract/payouts.ts";
import { shopCurrency } from "#contract/price.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { amountOf, saleStatus } from "./sale-status.ts";

export function Statement() {
  const { data: years = [] } = useQuery(queryOf(listStatementYears, {}));
  const [chosen, choose] = useState<number>();
  const read = useCall(readStatement, {
    onSuccess: (sales, { query }) =>
      downloadFile(`sales-${query?.year}.csv`, statementCsv(sales), "text/csv"),
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
        busy={read.isPending}
        onClick={() => read.mutate({ query: { year } })}
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
