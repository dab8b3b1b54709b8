import { type ReactNode, Suspense, use, useEffect } from "react";
import { useHydrated } from "./use-hydrated.ts";

type ServerRenderedProps = {
  /** The digest of the data in the server's markup. */
  digest: string | undefined;
  /** Fetches the same data; called once, and never rejects. Resolves to its digest. */
  fetchAgain: () => Promise<string | undefined>;
  children: ReactNode;
};

/**
 * A part of a page whose data is sent as markup only. On hydration the markup stays until the browser has
 * fetched the data. If the data has changed since then, the part is rendered anew.
 */
export function ServerRendered(props: ServerRenderedProps) {
  return (
    <Suspense fallback={null}>
      <Hydrated {...props} />
    </Suspense>
  );
}

function Hydrated({ digest, fetchAgain, children }: ServerRenderedProps) {
  const isHydrated = useHydrated();
  if (!isHydrated && !import.meta.env.SSR && use(fetchAgain()) !== digest) throw new StaleMarkup();
  useEffect(() => {
    if (isHydrated) dispatchEvent(new Event("hydrated"));
  }, [isHydrated]);
  return children;
}

/** Makes React render a part anew instead of hydrating it; not a failure (`web/entry.client.tsx`). */
export class StaleMarkup extends Error {}

/** For the elements of such a part: marks them until they work, for `web/start/loader.ts`. */
export function useHydratingMark(): { "data-hydrating"?: "" } {
  return useHydrated() ? {} : { "data-hydrating": "" };
}
