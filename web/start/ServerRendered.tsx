import { type ReactNode, Suspense, use, useEffect } from "react";
import { useHydrated } from "../ui/use-hydrated.ts";
import { fetchForHydration, type PageData } from "./markup.ts";
import { StaleMarkup } from "./server-render.ts";

type ServerRenderedProps<Key> = {
  page: PageData<Key>;
  pageKey: Key;
  /** The digest of the data in the markup. */
  digest: string | undefined;
  children: ReactNode;
};

/**
 * Part of a page that the server sends as HTML without its data. The HTML stays until the browser
 * has the data. Changed data is rendered again.
 */
export function ServerRendered<Key>(props: ServerRenderedProps<Key>) {
  return (
    <Suspense fallback={null}>
      <Hydrated {...props} />
    </Suspense>
  );
}

function Hydrated<Key>({ page, pageKey, digest, children }: ServerRenderedProps<Key>) {
  const isHydrating = !useHydrated() && !import.meta.env.SSR;
  if (isHydrating && use(fetchForHydration(page, pageKey)) !== digest) throw new StaleMarkup();
  useEffect(() => {
    if (!isHydrating) dispatchEvent(new Event("hydrated"));
  }, [isHydrating]);
  return children;
}

/** Marks an element for `web/start/page-loader.ts` until it is hydrated. */
export function useHydratingMark(): { "data-hydrating"?: "" } {
  return useHydrated() ? {} : { "data-hydrating": "" };
}
