import { searchParameters } from "#contract/search.ts";

/** What a search in the address of a page asks for; other parameters, such as an open dialog, are left out. */
export function searchOf(query: URLSearchParams): Record<string, string> {
  const names = [...searchParameters, "cursor"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name)?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** Few enough for a light page. */
const perPage = 12;

export function requestOf(query: URLSearchParams) {
  return { query: { ...searchOf(query), limit: perPage } };
}

/** Another search: with these parameters changed, from the first page on. */
export function searchWith(
  search: Record<string, string>,
  changes: Record<string, string | undefined>,
): string {
  const { cursor: _, ...others } = search;
  const given = Object.entries({ ...others, ...changes }).filter(([, value]) => value);
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === "" ? "/search" : `/search?${query}`;
}

/** With a value of a parameter chosen, or no longer chosen; several are alternatives. */
export function toggled(search: Record<string, string>, name: string, value: string): string {
  const chosen = search[name]?.split(",") ?? [];
  const rest = chosen.filter((one) => one !== value);
  const next = rest.length < chosen.length ? rest : [...chosen, value];
  return searchWith(search, { [name]: next.join(",") });
}
