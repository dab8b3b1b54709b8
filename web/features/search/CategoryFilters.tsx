import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { search } from "#contract/search.ts";
import { queryOf } from "#web/api/api.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import { FacetList } from "./Facets.tsx";
import { SortLinks } from "./SearchSummary.tsx";
import { requestOf, type SearchAddress, searchWith } from "./search-address.ts";
import "./search.css";

/** Filters and sort links above a category's list. The counts are fetched when the filters open. */
export function CategoryFilters({ address }: { address: SearchAddress }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="mb-6 flex flex-col gap-3">
      <SortLinks address={address} isNear={false} />
      <details className="category-filters" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="btn border-line bg-base-100">Filters</summary>
        {isOpen && <OpenFilters address={address} />}
      </details>
    </div>
  );
}

/** Links to a page with the filters, for browsers without scripts. */
export function CategoryFilterLinks({ address }: { address: SearchAddress }) {
  return (
    <div className="mb-6 flex flex-col gap-3">
      <SortLinks address={address} isNear={false} />
      <a href={searchWith(address, { sort: "newest" })} className={buttonClass({ look: "plain" })}>
        Filters
      </a>
    </div>
  );
}

function OpenFilters({ address }: { address: SearchAddress }) {
  const { data: answer, isError } = useQuery(queryOf(search, requestOf(address)));
  if (isError) return <p role="alert">The filters could not be loaded. Please try again later.</p>;
  if (!answer) return <Spinner />;
  return (
    <div className="facet-columns">
      <FacetList answer={answer} address={address} nameOf={() => ""} />
    </div>
  );
}
