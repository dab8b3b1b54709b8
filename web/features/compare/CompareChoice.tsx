import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import "./compare.css";

type CompareChoiceProps = { products: Pick<Product, "_id" | "product_name" | "resale_price">[] };

/** A form to choose which laptops to compare. It works without scripts. */
export function CompareChoice({ products }: CompareChoiceProps) {
  if (products.length < 2) return null;
  return (
    <details className="compare-choice">
      <summary className="unfold link-hover">
        <Icon name="chevron-right" className="size-4" />
        Compare laptops
      </summary>
      <form action="/compare">
        <fieldset>
          <legend className="mb-2 text-muted text-sm">Choose two to four of these laptops.</legend>
          {products.map(({ _id, product_name, resale_price }) => (
            <label key={_id}>
              <input type="checkbox" name="ids" value={_id} className="size-4.5 accent-primary" />
              <span>{`${product_name}, ${formatPrice(resale_price)}`}</span>
            </label>
          ))}
        </fieldset>
        <Button type="submit" look="plain">
          Compare
        </Button>
      </form>
    </details>
  );
}
