import { type FeeRule, feeOf } from "#contract/fee.ts";
import { formatPrice, toDollars } from "#contract/price.ts";
import "#web/ui/figures-table.css";

const prices = [100, 500, 1_500];

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
          const fee = toDollars(feeOf(price * 100, rule));
          return (
            <tr key={price}>
              <td>{formatPrice(price)}</td>
              <td>{formatPrice(fee)}</td>
              <td>{formatPrice(price - fee)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
