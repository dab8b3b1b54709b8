import { useQuery } from "@tanstack/react-query";
import { readConfig } from "#contract/config.ts";
import { readInvitationOffer } from "#contract/invitations.ts";
import { queryOf } from "#web/api/api.ts";

/**
 * Names an invited friend's discount until it is used; for a member only if they have it. At the bottom of the window, so
 * that nothing moves when it appears.
 */
export function InvitationBanner({ isMember }: { isMember: boolean }) {
  const config = useQuery(queryOf(readConfig, {}));
  const offer = useQuery({ ...queryOf(readInvitationOffer, {}), enabled: isMember });
  const hasOffer = !isMember || offer.data?.hasDiscount;
  if (!hasOffer || !config.data) return null;
  return (
    <aside
      aria-label="Your invitation"
      className="sticky bottom-0 z-10 border-line border-t bg-base-200 px-4 py-2 text-center text-sm print:hidden"
    >
      {`A friend invited you: ${config.data.invitations.friendOffer}. It's taken off when you pay.`}
    </aside>
  );
}
