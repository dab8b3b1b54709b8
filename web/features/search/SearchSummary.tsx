import { Link } from "react-router";
import { type SearchAnswer, type SearchSort, searchSorts } from "#contract/search.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { formatCount } from "./format-count.ts";
import { searchWith } from "./search-address.ts";

type SummaryProps = { answer: SearchAnswer; search: Record<string, string> };

/** How many were found, what was understood, and what was changed to find something. */
export function SearchSummary({ answer, search }: SummaryProps) {
  const { corrected, loosened, filters } = answer;
  return (
    <div className="mb-6 flex flex-col gap-3">
      <p role="status">
        {countOf(answer)}
        {corrected.length > 0 &&
          ` for “${corrected.map(({ to }) => to).join(" ")}” instead of “${corrected.map(({ from }) => from).join(" ")}”`}
        {loosened && `. Nothing matches everything, so these match without: ${loosened.label}`}
      </p>
      {filters.length > 0 && (
        <nav aria-label="Filters in use" className="chips">
          {filters.map(({ filter, label, rest }) => (
            <Link
              key={filter}
              to={searchWith(search, rest === null ? without(filter) : { q: rest })}
              aria-label={`Remove filter: ${label}`}
              preventScrollReset
            >
              {label} <Icon name="x" className="size-3.5" />
            </Link>
          ))}
        </nav>
      )}
      <SortLinks search={search} />
    </div>
  );
}

function countOf({ total, sampled }: SearchAnswer): string {
  if (total === 0) return "No laptops found";
  const laptops = total === 1 ? "laptop" : "laptops";
  return `${sampled ? "About " : ""}${formatCount(total)} ${laptops}`;
}

function without(filter: string): Record<string, undefined> {
  return filter === "price"
    ? { minPrice: undefined, maxPrice: undefined }
    : { [filter]: undefined };
}

const sortNames: Record<SearchSort, string> = {
  relevance: "Best match",
  price: "Lowest price",
  "-price": "Highest price",
  newest: "Newest",
  saving: "Biggest saving",
};

function SortLinks({ search }: Pick<SummaryProps, "search">) {
  const { sort = "relevance" } = search;
  return (
    <nav aria-label="Sort by" className="sort-links">
      {searchSorts.map((name) => (
        <Link
          key={name}
          to={searchWith(search, { sort: name === "relevance" ? undefined : name })}
          rel="nofollow"
          preventScrollReset
          aria-current={sort === name ? "true" : undefined}
        >
          {sortNames[name]}
        </Link>
      ))}
    </nav>
  );
}
