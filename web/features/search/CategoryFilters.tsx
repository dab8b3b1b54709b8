import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { search } from "#contract/search.ts";
import { queryOf } from "#web/api/api.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import { FacetList } from "./Facets.tsx";
import { FilterSheet } from "./FilterSheet.tsx";
import { ResultsBar } from "./ResultsBar.tsx";
import { showText } from "./SearchSummary.tsx";
import { requestOf, type SearchAddress, searchWith } from "./search-address.ts";
import "./search.css";

/** Filters and sorting above a category's list. The counts are fetched when the filters open. */
export function CategoryFilters({ address }: { address: SearchAddress }) {
  const [isOpen, setOpen] = useState(false);
  const { data: answer, isError } = useQuery({
    ...queryOf(search, requestOf(address)),
    enabled: isOpen,
  });
  return (
    <>
      <ResultsBar address={address} isNear={false} />
      <FilterSheet done={answer ? showText(answer) : "Close"} onToggle={setOpen}>
        {isError && <p role="alert">The filters could not be loaded. Please try again later.</p>}
        {answer && <FacetList answer={answer} address={address} nameOf={() => ""} />}
        {!answer && !isError && <Spinner />}
      </FilterSheet>
    </>
  );
}

/** Links to a page with the filters, for browsers without scripts. */
export function CategoryFilterLinks({ address }: { address: SearchAddress }) {
  return (
    <a
      href={searchWith(address, { sort: "newest" })}
      className={`${buttonClass({ look: "plain" })} mb-6`}
    >
      Filters
    </a>
  );
}
