import { Link } from "react-router";
import { formatPrice } from "#contract/price.ts";
import type { SearchAnswer } from "#contract/search.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { type ShownFacet, shownFacets } from "./facets.ts";
import { formatCount } from "./format-count.ts";
import { searchWith, toggled } from "./search-address.ts";

type FacetsProps = {
  answer: SearchAnswer;
  search: Record<string, string>;
  nameOf: (categoryId: string) => string;
};

/** The filters with their counts, as links; on narrow screens behind a button. */
export function Facets({ answer, search, nameOf }: FacetsProps) {
  const facets = shownFacets(answer, { search, nameOf });
  return (
    <details className="search-filters">
      <summary className="btn border-line bg-base-100">Filters</summary>
      <PriceFilter answer={answer} search={search} />
      {facets.map((facet) => (
        <FacetLinks key={facet.name} facet={facet} search={search} />
      ))}
    </details>
  );
}

function FacetLinks({ facet, search }: { facet: ShownFacet; search: Record<string, string> }) {
  const { name, title, choices, sampled } = facet;
  const chosen = search[name]?.split(",") ?? [];
  // A battery filter is one minimum.
  const to = (value: string) =>
    name === "battery" && !chosen.includes(value)
      ? searchWith(search, { battery: value })
      : toggled(search, name, value);
  return (
    <nav aria-label={title} className="facet">
      <h2>{title}</h2>
      {choices.map(({ value, label, count }) => (
        <Link
          key={value}
          to={to(value)}
          rel="nofollow"
          preventScrollReset
          aria-current={chosen.includes(value) ? "true" : undefined}
        >
          {label} <small>{`${sampled ? "about " : ""}${formatCount(count)}`}</small>
        </Link>
      ))}
    </nav>
  );
}

type Band = { value: string; count: number };

/** One path, because a page has few elements. */
function Histogram({ bands }: { bands: Band[] }) {
  const highest = Math.max(...bands.map(({ count }) => count));
  const bars = bands.map(({ count }, index) => {
    const height = Math.max(2, Math.round((100 * count) / highest));
    return `M${index * 10} 100v-${height}h9v${height}z`;
  });
  const text = bands
    .map(({ value, count }) => `${formatPrice(Number(value))}: ${count}`)
    .join(", ");
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${bands.length * 10 - 1} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Laptops by price. ${text}`}
    >
      <path d={bars.join("")} />
    </svg>
  );
}

/** Prices as bars, and as two fields. */
function PriceFilter({ answer, search }: Omit<FacetsProps, "nameOf">) {
  const bands = answer.facets.price?.values ?? [];
  const { minPrice = "", maxPrice = "", cursor: _, ...others } = search;
  return (
    <form action={paths.search()} className="facet price-filter" key={`${minPrice} ${maxPrice}`}>
      <h2>Price</h2>
      {bands.length > 1 && <Histogram bands={bands} />}
      {Object.entries(others).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input
        className="input"
        name="minPrice"
        defaultValue={minPrice}
        inputMode="decimal"
        aria-label="Lowest price in dollars"
        placeholder="$ min"
      />
      <input
        className="input"
        name="maxPrice"
        defaultValue={maxPrice}
        inputMode="decimal"
        aria-label="Highest price in dollars"
        placeholder="$ max"
      />
      <Button type="submit" look="plain">
        Apply
      </Button>
    </form>
  );
}
