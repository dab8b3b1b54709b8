import { formatPrice } from "#contract/price.ts";
import { savings } from "#web/domain/products/savings.ts";

/** The amounts are in the shop's currency. */
export function Prices({ resale, original }: { resale: number; original: number }) {
  const saved = savings({ resale, original });
  const share = Math.floor((saved / original) * 100);
  return (
    <dl className="prices">
      <dt>Resale Price</dt>
      <dd className="price">{formatPrice(resale)}</dd>
      <dt>Original Price</dt>
      <dd className={saved > 0 ? "original struck" : "original"}>
        {/* Long prices may wrap after the currency code. */}
        {formatPrice(original).replace("\xa0", " ")}
      </dd>
      {saved > 0 && (
        <dd className="savings">
          {`Save ${formatPrice(saved)}${share > 0 ? ` (${share}%)` : ""}`}
        </dd>
      )}
    </dl>
  );
}
