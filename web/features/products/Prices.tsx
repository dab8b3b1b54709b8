import { formatPrice } from "#contract/money.ts";
import { savings } from "#web/ui/savings.ts";

/** Price, original price and savings, in dollars. */
export function Prices({ resale, original }: { resale: number; original: number }) {
  const saved = savings({ resale, original });
  const share = Math.floor((saved / original) * 100);
  return (
    <dl className="prices">
      <div>
        <dt>Resale Price</dt>
        <dd className="font-bold font-display text-price">{formatPrice(resale)}</dd>
      </div>
      <div>
        <dt>Original Price</dt>
        <dd className="text-muted">
          {saved > 0 ? <s>{formatPrice(original)}</s> : formatPrice(original)}
        </dd>
      </div>
      {saved > 0 && (
        <div>
          <dt className="sr-only">Saving</dt>
          <dd className="savings">
            Save {formatPrice(saved)}
            {share > 0 && ` (${share}%)`}
          </dd>
        </div>
      )}
    </dl>
  );
}
