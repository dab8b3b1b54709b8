import type { FairPriceRange } from "#contract/fair-price.ts";
import { formatPrice } from "#contract/price.ts";
import { textOfRange } from "./fair-price-text.ts";

/** Compares a laptop's price with what similar laptops sold for here. */
export function FairPrice({ price, range }: { price: number; range: FairPriceRange }) {
  const { low, high } = range;
  const place = price < low ? "below" : price > high ? "above" : "within";
  return (
    <p className="text-sm">
      <strong>{places[place]}</strong>{" "}
      <span className="text-muted">{`${textOfRange(range)}: most for ${formatPrice(low)} to ${formatPrice(high)}.`}</span>
    </p>
  );
}

const places = {
  below: "Below the usual price.",
  within: "Within the usual price.",
  above: "Above the usual price.",
};
