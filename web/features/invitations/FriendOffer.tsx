import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation, useSearchParams } from "react-router";
import { readConfig } from "#contract/config.ts";
import { isBuyer } from "#contract/roles.ts";
import { queryOf } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { keepInvitation, keptInvitation, offerQuery } from "./kept-invitation.ts";

/** Shows the reader's invitation discount, unless `price`, in dollars, is too low for it. */
export default function FriendOffer({ price }: { price?: number }) {
  const offer = useFriendOffer(price);
  return (
    offer && (
      <p className="rounded-field bg-secondary px-4 py-3 text-secondary-content text-sm">{offer}</p>
    )
  );
}

/** Omitted on Sign up, which shows the discount itself. `h-24` leaves room for the fixed text. */
export function InvitationBanner() {
  const offer = useFriendOffer();
  const { pathname } = useLocation();
  if (offer === undefined || pathname === paths.signUp()) return null;
  return (
    <aside aria-label="Your invitation" className="h-24 print:hidden">
      <p className="fixed inset-x-0 bottom-[var(--bar,0px)] z-10 border-line border-t bg-base-200 px-4 py-2 text-center text-sm">
        {offer}
      </p>
    </aside>
  );
}

/** Returns the text; undefined without a discount. Also stores an opened invitation's code. */
function useFriendOffer(price = Number.POSITIVE_INFINITY): string | undefined {
  const opened = useOpenedInvitation();
  const session = useSession();
  const mayBuy = Boolean(session && isBuyer(session));
  const offer = useQuery({ ...offerQuery, enabled: mayBuy });
  const isInvited = mayBuy ? offer.data?.hasDiscount : session === null && opened !== undefined;
  const config = useQuery({ ...queryOf(readConfig, {}), enabled: isInvited === true });
  if (!isInvited || !config.data) return undefined;
  const { friendOffer, discountOver } = config.data.invitations;
  if (price <= discountOver) return undefined;
  return `A friend invited you: ${friendOffer}. It's taken off when you pay.`;
}

function useOpenedInvitation(): string | undefined {
  const code = useSearchParams()[0].get("invite");
  useEffect(() => {
    if (code !== null) keepInvitation(code);
  }, [code]);
  return code ?? keptInvitation();
}
