import {
  type FilterName,
  type SearchAnswer,
  searchPageSize,
  searchParameters,
} from "#contract/search.ts";
import { paths } from "#web/paths.ts";

/** The search in a page's URL. `category` comes from the path of a category page. */
export type SearchAddress = { path: string; category?: string; search: Record<string, string> };

/** Reads a search from a URL's query. Leaves out other parameters, such as an open dialog. */
export function searchOf(query: URLSearchParams): Record<string, string> {
  // The place form can send an empty town. Without a town, nothing can be sorted by distance.
  const hasNoTown = query.get("near")?.trim() === "" && query.get("sort") === "distance";
  const names = [...searchParameters, "cursor"].filter((name) => name !== "sort" || !hasNoTown);
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

export function addressOfSearch(query: URLSearchParams): SearchAddress {
  return { path: paths.search(), search: searchOf(query) };
}

export function addressOfCategory(category: string, query: URLSearchParams): SearchAddress {
  const { category: _, ...search } = searchOf(query);
  return { path: paths.categoryProducts(category), category, search };
}

export function sortOf({ category, search }: SearchAddress): string {
  return search.sort ?? (category === undefined ? "relevance" : "newest");
}

export function requestOf(address: SearchAddress) {
  const { category, search } = address;
  const { within, ...others } = search;
  const query: Record<string, string> = others;
  // The place form can send a distance alone, which means nothing without a town or search words.
  if (within !== undefined && (search.near ?? search.q) !== undefined) query.within = within;
  if (category !== undefined) Object.assign(query, { category, sort: sortOf(address) });
  return { query: { ...query, limit: searchPageSize } };
}

/** Whether a category page shows search results instead of the category's list. */
export function isSearch({ search }: SearchAddress): boolean {
  return Object.keys(search).length > 0;
}

/** Returns the URL of the changed search: the first page of results, or `changes.cursor`'s page. */
export function searchWith(
  { path, search }: SearchAddress,
  changes: Record<string, string | undefined>,
): string {
  const { cursor: _, ...others } = search;
  const given = Object.entries({ ...others, ...changes }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === "" ? path : `${path}?${query}`;
}

type Toggled = {
  name: FilterName;
  value: string;
  applied: SearchAnswer["filters"][number] | undefined;
};

/**
 * The battery filter has only one value, the minimum. Removing a filter's last value also removes
 * the search words that set the filter.
 */
export function toggled(address: SearchAddress, { name, value, applied }: Toggled): string {
  const { values = [], rest = null } = applied ?? {};
  const others = name === "battery" ? [] : values.filter((one) => one !== value);
  const next = values.includes(value) ? others : [...others, value];
  const words = next.length === 0 && rest !== null && { q: rest };
  return searchWith(address, { [name]: next.join(","), ...words });
}

/** Returns the changes that remove a filter together with the parameters that depend on it. */
export function withoutFilter({ search }: SearchAddress, filter: string) {
  if (filter === "price") return { minPrice: undefined, maxPrice: undefined };
  if (filter !== "near") return { [filter]: undefined };
  return {
    near: undefined,
    within: undefined,
    ...(search.sort === "distance" && { sort: undefined }),
  };
}
