import { type FeeRule, feeOf } from "#contract/fee.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import "#web/ui/figures-table.css";

/** Example prices, in cents. */
const prices = [10_000, 50_000, 150_000];

/** The fees of three sales, to show an owner what the rule means. Empty for an invalid number. */
export function FeeExample({ rule }: { rule: FeeRule }) {
  if (Number.isNaN(feeOf(100, rule))) return null;
  return (
    <table className="figures-table">
      <caption className="sr-only">What a seller gets</caption>
      <thead>
        <tr>
          <th>Price</th>
          <th>You keep</th>
          <th>The seller gets</th>
        </tr>
      </thead>
      <tbody>
        {prices.map((price) => {
          const fee = feeOf(price, rule);
          const [shown, kept, left] = [price, fee, price - fee].map((cents) =>
            formatPrice(toDollars(cents)),
          );
          return (
            <tr key={price}>
              <td>{shown}</td>
              <td>{kept}</td>
              <td>{left}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
