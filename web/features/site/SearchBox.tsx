import { lazy, Suspense } from "react";
import { useLocation } from "react-router";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";

/** "/", Ctrl+K and ⌘K focus the box (`web/start/page-loader.ts`). */
export function SearchBox() {
  const current = new URLSearchParams(useLocation().search).get("q") ?? "";
  return (
    <search className="site-search">
      <form
        // Resets the text when the URL's search changes.
        key={current}
        action={paths.search()}
      >
        <input
          name="q"
          aria-label="Search laptops"
          placeholder="Search laptops"
          autoComplete="off"
          className="input w-full pr-11"
          defaultValue={current}
        />
        <button type="submit" aria-label="Search">
          <Icon name="search" />
        </button>
        {useHydrated() && (
          <Suspense>
            <SearchSuggestions />
          </Suspense>
        )}
      </form>
    </search>
  );
}

const SearchSuggestions = lazy(() =>
  import("./SearchSuggestions.tsx").catch(() => ({ default: () => null })),
);
