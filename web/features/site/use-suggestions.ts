import { useQuery } from "@tanstack/react-query";
import { listSuggestions } from "#contract/search.ts";
import { publicApi } from "#web/api/api.ts";

/** Suggestions for the typed text. Outdated requests are canceled. */
export function useSuggestions(typed: string) {
  const q = typed.trimStart().toLowerCase();
  const { data } = useQuery({
    queryKey: [listSuggestions.path, q],
    queryFn: async ({ signal }) => {
      const api = publicApi((input, init) => fetch(input, { ...init, signal }));
      return (await api(listSuggestions, { query: { q } })).body.items;
    },
    enabled: q.length >= 2,
    staleTime: 60_000,
    retry: false,
    // Keeps the previous suggestions until the new ones arrive.
    placeholderData: (before) => before,
    meta: { reads: [] },
  });
  return q.length >= 2 ? (data ?? []) : [];
}
