import { useSearchParams } from "react-router";
import { safeDestination } from "#contract/page-paths.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { useShop } from "#web/ui/use-shop.ts";
import { useSession } from "./session.ts";

/** Undefined until hydrated, because the server renders the same page for everyone. */
export function useReturnPath(): string | undefined {
  const [query] = useSearchParams();
  const hydrated = useHydrated();
  return hydrated ? (query.get("from") ?? undefined) : undefined;
}

/**
 * Sends members back or home (specification 2.3), and a new shop's admins to its first steps.
 * Undefined for visitors.
 */
export function useMemberDestination(): string | undefined {
  const session = useSession();
  const from = useReturnPath();
  const { start } = useShop();
  if (!session) return undefined;
  if (session.isAdmin && from === undefined && start) return start;
  return safeDestination(from);
}
