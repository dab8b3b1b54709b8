import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { type SearchSort, searchSorts } from "#contract/search.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { HiddenSearch } from "./Filters.tsx";
import { type SearchAddress, searchWith, sortOf } from "./search-address.ts";

type ResultsBarProps = {
  address: SearchAddress;
  /** Whether the search has a town, so that results can be sorted by distance. */
  isNear: boolean;
  isEmpty?: boolean;
  children?: ReactNode;
};

export function ResultsBar({ address, isNear, isEmpty, children }: ResultsBarProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <button
        type="button"
        popoverTarget="filters"
        className="btn btn-sm border-line bg-base-100 text-sm filters-button"
      >
        <Icon name="sliders-horizontal" className="size-4" />
        Filters
      </button>
      {!isEmpty && <SortSelect address={address} isNear={isNear} />}
      {children}
    </div>
  );
}

const sortNames: Record<SearchSort, string> = {
  relevance: "Best match",
  price: "Lowest price",
  "-price": "Highest price",
  newest: "Newest",
  saving: "Biggest saving",
  distance: "Nearest",
};

/** A choice of sort order. Without scripts, a button applies it. */
function SortSelect({ address, isNear }: ResultsBarProps) {
  const navigate = useNavigate();
  const unsorted = sortOf({ ...address, search: {} });
  const choose = (sort: string) =>
    void navigate(searchWith(address, { sort: sort === unsorted ? undefined : sort }), {
      preventScrollReset: true,
    });
  return (
    <form action={address.path} className="sort">
      <HiddenSearch address={address} without={["sort"]} />
      <select
        name="sort"
        aria-label="Sort by"
        className="select"
        // Remounts once the URL has the new order. Until then, the select keeps the choice.
        key={sortOf(address)}
        defaultValue={sortOf(address)}
        onChange={(event) => choose(event.target.value)}
      >
        {searchSorts
          .filter((name) => name !== "distance" || isNear)
          .map((name) => (
            <option key={name} value={name}>
              {sortNames[name]}
            </option>
          ))}
      </select>
      <noscript>
        <button type="submit" className="btn btn-sm">
          Sort
        </button>
      </noscript>
    </form>
  );
}
