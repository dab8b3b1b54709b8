import { type ReactNode, Suspense, use, useEffect } from "react";
import { useHydrated } from "../ui/use-hydrated.ts";

type ServerRenderedProps = {
  digest: string | undefined;
  /** Resolves to the digest once all data is read. Must return the same promise on each call. */
  fetchAgain: () => Promise<string>;
  children: ReactNode;
};

/**
 * A part of a page whose data is sent as markup only. The markup stays until the browser has
 * fetched the data, however long that takes. Changed data is rendered again.
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

/** Makes React render the part again. Not reported as an error (`web/entry.client.tsx`). */
export class StaleMarkup extends Error {}

/** Resolves at the visitor's next action, when the browser is online again, or after 10 s. */
export function nextAttempt(): Promise<void> {
  return new Promise((resolve) => {
    const attempt = new AbortController();
    const go = () => {
      attempt.abort();
      resolve();
    };
    setTimeout(go, 10_000);
    for (const type of ["online", "pointerdown", "keydown"])
      addEventListener(type, go, { signal: attempt.signal });
  });
}

/** Marks an element for `web/start/page-loader.ts` until it is hydrated. */
export function useHydratingMark(): { "data-hydrating"?: "" } {
  return useHydrated() ? {} : { "data-hydrating": "" };
}
