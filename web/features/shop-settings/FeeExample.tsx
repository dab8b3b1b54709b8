import { inCurrency } from "#contract/currencies.ts";
import { type FeeRule, feeOf } from "#contract/fee.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import "#web/ui/figures-table.css";

/** In cents. */
const prices = [10_000, 50_000, 150_000];

type FeeExampleProps = { rule: FeeRule; currency: string };

/** Shows an owner how the rule works. Empty for an invalid rule. */
export function FeeExample({ rule, currency }: FeeExampleProps) {
  if (Number.isNaN(feeOf(100, rule))) return null;
  const rows = inCurrency(currency, () =>
    prices.map((price) => {
      const fee = feeOf(price, rule);
      return [price, fee, price - fee].map((cents) => formatPrice(toDollars(cents)));
    }),
  );
  return (
    <table className="figures-table">
      <caption className="sr-only">What a seller gets</caption>
      <thead>
        <tr>
          <th>Price</th>
          <th>Your fee</th>
          <th>The seller gets</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([price, kept, left]) => (
          <tr key={price}>
            <td>{price}</td>
            <td>{kept}</td>
            <td>{left}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
