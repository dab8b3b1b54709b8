import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ShouldRevalidateFunctionArgs } from "react-router";
import { listCategories } from "#contract/categories.ts";
import { CallError } from "#contract/client.ts";
import { milesText } from "#contract/distance.ts";
import { type SearchAnswer, search } from "#contract/search.ts";
import { queryOf } from "#web/api/api.ts";
import { freshFromLoader } from "#web/api/query-client.ts";
import { ListJsonLd } from "#web/features/products/JsonLd.tsx";
import { ProductGridSkeleton } from "#web/features/products/ProductGrid.tsx";
import { SaveSearch } from "#web/features/saved/SaveSearch.tsx";
import { FacetList, FilterSheet } from "#web/features/search/Filters.tsx";
import { ResultsBar } from "#web/features/search/ResultsBar.tsx";
import { SearchSummary, showText } from "#web/features/search/SearchSummary.tsx";
import {
  isSearch,
  requestOf,
  type SearchAddress,
  searchOf,
  searchWith,
} from "#web/features/search/search-address.ts";
import type { PageData } from "#web/start/markup.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { ProductListing } from "./product-listing.tsx";
import "#web/features/search/search.css";

/** If the server rejects a search, the page still renders and shows the reason. */
export const resultsPage: PageData<SearchAddress> = {
  queriesOf: (address, api) => [
    { ...queryOf(listCategories, {}, api), staleTime: "static" },
    { ...queryOf(search, requestOf(address), api), staleTime: 60_000 },
  ],
  isAnswer: (error) => error instanceof CallError && error.status === 400,
  mayFail: true,
};

/** Ignores query changes from opening or closing a dialog. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  if (currentUrl.href === nextUrl.href) return true;
  const [from, to] = [currentUrl, nextUrl].map((url) => JSON.stringify(searchOf(url.searchParams)));
  return from !== to || currentUrl.pathname !== nextUrl.pathname;
}

type SearchResultsProps = {
  address: SearchAddress;
  /** A category's own list, shown if there is no search. The filters then load only when opened. */
  list?: ReactNode;
};

/** On a category page, the first filter makes the list a search. The filter sheet stays open. */
export function SearchResults({ address, list }: SearchResultsProps) {
  const [isOpen, setOpen] = useState(false);
  const isList = list !== undefined && !isSearch(address);
  const { data: categories = [] } = useQuery(queryOf(listCategories, {}));
  const answer = useQuery({
    ...queryOf(search, requestOf(address)),
    ...freshFromLoader,
    enabled: !isList || isOpen,
  });
  const found = answer.data;
  const nameOf = (id: string) =>
    categories.find(({ _id }) => _id === id)?.product_category ?? "Other";
  if (!found && !isList)
    return (
      <QueryState query={answer} skeleton={<ProductGridSkeleton cards={6} />}>
        {() => null}
      </QueryState>
    );
  return (
    <div className={isList ? undefined : "search-results"}>
      <FilterSheet done={found ? showText(found) : "Close"} onToggle={setOpen}>
        <QueryState query={answer} skeleton={<div className="h-40" />}>
          {(all) => <FacetList answer={all} address={address} nameOf={nameOf} />}
        </QueryState>
      </FilterSheet>
      <div>
        <ResultsBar
          address={address}
          isNear={Boolean(found?.place)}
          isEmpty={!isList && found?.items.length === 0}
        >
          {!isList && <SaveSearch search={ofCategory(address)} />}
        </ResultsBar>
        {isList && list}
        {found && !isList && (
          <>
            <SearchSummary answer={found} address={address} />
            <FoundLaptops answer={found} address={address} />
          </>
        )}
      </div>
    </div>
  );
}

/** A saved search isn't tied to a category page, so the category becomes a parameter. */
function ofCategory({ category, search: asked }: SearchAddress): Record<string, string> {
  return category === undefined ? asked : { ...asked, category };
}

type FoundLaptopsProps = { answer: SearchAnswer; address: SearchAddress };

function FoundLaptops({ answer, address }: FoundLaptopsProps) {
  if (answer.items.length === 0)
    return (
      <div className="mt-4">
        <Notice title="Nothing found" drawing>
          <p>
            Try fewer words, or a brand such as Lenovo. You can also search by processor or memory.
          </p>
          <ButtonLink to={address.path}>All laptops</ButtonLink>
        </Notice>
      </div>
    );
  return (
    <>
      <ListJsonLd products={answer.items} />
      <h2 className="sr-only">Results</h2>
      <ProductListing products={answer.items.map(withDistance)} aboveFold />
      <nav aria-label="Pages" className="mt-8 flex justify-center gap-3">
        {address.search.cursor !== undefined && (
          <ButtonLink to={searchWith(address, {})} look="plain">
            First page
          </ButtonLink>
        )}
        {answer.next !== null && (
          <ButtonLink to={searchWith(address, { cursor: answer.next })} look="plain">
            Next page
          </ButtonLink>
        )}
      </nav>
    </>
  );
}

/** Appends the distance to the seller's own text for the location. */
function withDistance(laptop: SearchAnswer["items"][number]) {
  const { distance, location } = laptop;
  if (distance === undefined) return laptop;
  const away = distance === 0 ? "in the town" : `${milesText(distance)} away`;
  return { ...laptop, location: `${location} (${away})` };
}
