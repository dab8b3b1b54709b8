import { lazy, Suspense } from "react";
import { useSession } from "#web/auth/session.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";
import { keptInvitation } from "./kept-invitation.ts";

/** Loaded only where there may be something to say, because it is on every page. */
const InvitationBanner = lazy(() => import("./InvitationBanner.tsx"));

/** Names an invited friend's discount on every page, until it is used. */
export function InvitationNotice() {
  const session = useSession();
  const hydrated = useHydrated();
  if (!hydrated || session === undefined || session?.isAdmin) return null;
  if (!session && !keptInvitation()) return null;
  return (
    <Suspense fallback={null}>
      <InvitationBanner isMember={session !== null} />
    </Suspense>
  );
}
