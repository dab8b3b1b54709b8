import { searchParameters } from "#contract/search.ts";
import { paths } from "#web/paths.ts";

/** What a page's address searches for; `category` is given by the path of a category's page. */
export type SearchAddress = { path: string; category?: string; search: Record<string, string> };

/** The search in an address; other parameters, such as an open dialog, are left out. */
export function searchOf(query: URLSearchParams): Record<string, string> {
  const names = [...searchParameters, "cursor"];
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

/** A category's page shows the newest first, unless its address says otherwise. */
export function addressOfCategory(category: string, query: URLSearchParams): SearchAddress {
  const { category: _, ...search } = searchOf(query);
  return { path: paths.categoryProducts(category), category, search };
}

/** The order of results that an address asks for. */
export function sortOf({ category, search }: SearchAddress): string {
  return search.sort ?? (category === undefined ? "relevance" : "newest");
}

/** Few enough for a light page. */
const perPage = 12;

export function requestOf(address: SearchAddress) {
  const { category, search } = address;
  const { within, ...others } = search;
  const query: Record<string, string> = others;
  // The form of the place may be sent with a distance and no town.
  if (within !== undefined && (search.near ?? search.q) !== undefined) query.within = within;
  if (category !== undefined) Object.assign(query, { category, sort: sortOf(address) });
  return { query: { ...query, limit: perPage } };
}

/** Whether the page of a category shows a search, not the category's list. */
export function isSearch({ search }: SearchAddress): boolean {
  return Object.keys(search).length > 0;
}

/** Another search: with these parameters changed, from the first page on. */
export function searchWith(
  { path, search }: SearchAddress,
  changes: Record<string, string | undefined>,
): string {
  const { cursor: _, ...others } = search;
  const given = Object.entries({ ...others, ...changes }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === "" ? path : `${path}?${query}`;
}

type Toggled = { name: string; value: string; chosen: { values: string[]; rest: string | null } };

/**
 * With a value of a parameter chosen, or no longer chosen; several are alternatives, but a battery filter is one
 * minimum. The words it was read from go with the last value.
 */
export function toggled(address: SearchAddress, { name, value, chosen }: Toggled): string {
  const { values, rest } = chosen;
  const others = name === "battery" ? [] : values.filter((one) => one !== value);
  const next = values.includes(value) ? others : [...others, value];
  const words = next.length === 0 && rest !== null && { q: rest };
  return searchWith(address, { [name]: next.join(","), ...words });
}

/** Without a filter, and without what needs it. */
export function withoutFilter({ search }: SearchAddress, filter: string) {
  if (filter === "price") return { minPrice: undefined, maxPrice: undefined };
  if (filter !== "near") return { [filter]: undefined };
  return {
    near: undefined,
    within: undefined,
    ...(search.sort === "distance" && { sort: undefined }),
  };
}
