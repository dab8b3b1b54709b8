import type { Sale } from "#contract/payouts.ts";
import { shopCurrency } from "#contract/price.ts";
import { amountOf, saleStatus } from "./sale-status.ts";

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

/** Adds an apostrophe to text that starts like a formula, because spreadsheets would run it. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
