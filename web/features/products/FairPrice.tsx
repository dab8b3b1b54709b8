import type { FairPriceRange } from "#contract/fair-price.ts";
import { formatPrice } from "#contract/price.ts";

export function FairPrice({ price, range }: { price: number; range: FairPriceRange }) {
  const { low, high } = range;
  const place = price < low ? "Below" : price > high ? "Above" : "Within";
  return (
    <p className="text-sm">
      <strong>{`${place} the usual price.`}</strong>{" "}
      <span className="text-muted">{`${textOfRange(range)}: most for ${formatPrice(low)} to ${formatPrice(high)}.`}</span>
    </p>
  );
}

/** Such as "23 laptops of this model were sold here, compared by age and condition". */
export function textOfRange({ sales, level }: FairPriceRange): string {
  return `${sales} laptops of this ${level} were sold here, compared by age and condition`;
}
