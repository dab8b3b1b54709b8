import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { offerQuery } from "./accept-kept-invitation.ts";
import { keepInvitation, keptInvitation } from "./kept-invitation.ts";

/**
 * Stores the code of an invitation link, and shows the friend's discount on every page until the
 * friend uses it. The banner comes last in the page and sticks to the bottom, so that nothing moves
 * when it appears.
 */
export default function InvitationBanner() {
  const opened = useOpenedInvitation();
  const session = useSession();
  const mayBuy = Boolean(session && !session.isAdmin && (session.alsoBuys || !session.isSeller));
  const offer = useQuery({ ...offerQuery, enabled: mayBuy });
  const isInvited = mayBuy ? offer.data?.hasDiscount : session === null && opened !== undefined;
  const config = useQuery({ ...queryOf(readConfig, {}), enabled: isInvited === true });
  if (!isInvited || !config.data) return null;
  return (
    <aside
      aria-label="Your invitation"
      className="sticky bottom-0 z-10 border-line border-t bg-base-200 px-4 py-2 text-center text-sm print:hidden"
    >
      {`A friend invited you: ${config.data.invitations.friendOffer}. It's taken off when you pay.`}
    </aside>
  );
}

/** The code of the invitation link that the visitor opened, now or in the last 30 days. */
function useOpenedInvitation(): string | undefined {
  const code = useSearchParams()[0].get("invite");
  useEffect(() => {
    if (code !== null) keepInvitation(code);
  }, [code]);
  return code ?? keptInvitation();
}
