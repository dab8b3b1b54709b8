import type { ReactNode } from "react";
import { Navigate, useSearchParams } from "react-router";
import { safeDestination } from "#web/paths.ts";
import { useSession } from "#web/session.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";

/** The page to go on to, once the browser shows its own address; the server renders the same for all. */
export function useFrom(): string | undefined {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  return hydrated ? (query.get("from") ?? undefined) : undefined;
}

type EntranceProps = { title: string; children: ReactNode };

/**
 * The frame of the login and sign-up pages. Whoever is signed in, just now or already, goes on to the page
 * they came from, or home (specification 2).
 */
export function Entrance(props: EntranceProps) {
  const session = useSession();
  const from = useFrom();
  if (session) return <Navigate to={safeDestination(from)} replace />;
  return <EntranceCard {...props} />;
}

/** The same frame for pages that are also there for who is signed in. */
export function EntranceCard({ title, children }: EntranceProps) {
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 rounded-box border border-line bg-base-100 p-6 shadow-rest sm:p-9">
      <h1 className="text-title">{title}</h1>
      {children}
    </div>
  );
}
