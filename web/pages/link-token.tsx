import type { ReactNode } from "react";
import { Navigate, useLocation, useSearchParams } from "react-router";
import { textOf } from "#contract/client.ts";
import { Spinner } from "#web/ui/Spinner.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";

type LinkTokenProps = { children: (token: string | undefined) => ReactNode };

/** Moves the token from the query to the history state, so that it leaves the address bar. */
export function LinkToken({ children }: LinkTokenProps) {
  const isHydrated = useHydrated();
  const [query] = useSearchParams();
  const { pathname, state } = useLocation();
  if (!isHydrated) return <Spinner />;
  const token = query.get("token");
  if (token !== null) return <Navigate to={pathname} state={{ token }} replace />;
  return children(textOf(state, "token"));
}
