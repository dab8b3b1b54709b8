import type { FairPriceRange } from "#contract/fair-price.ts";

const kinds = {
  model: "laptops of this model",
  line: "laptops of this line",
  brand: "laptops of this brand",
};

/** Such as "23 laptops of this model were sold here, compared by age and condition". */
export function textOfRange({ sales, level }: FairPriceRange): string {
  return `${sales} ${kinds[level]} were sold here, compared by age and condition`;
}
