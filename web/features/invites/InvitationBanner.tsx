import { useQuery } from "@tanstack/react-query";
import { CallError } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { friendOffer } from "#contract/invitation-rules.ts";
import { acceptInvitation, readInvitationOffer } from "#contract/invitations.ts";
import { browserApi, queryOf } from "#web/api/api.ts";
import { forgetInvitation, keptInvitation } from "./kept-invitation.ts";

/** At the bottom of the window, so that nothing moves when it appears. */
export default function InvitationBanner({ isMember }: { isMember: boolean }) {
  const config = useQuery(queryOf(readConfig, {}));
  const offer = useQuery({
    queryKey: ["invitation offer"],
    queryFn: acceptKept,
    enabled: isMember,
    retry: false,
    staleTime: 60_000,
    meta: { reads: readInvitationOffer.reads },
  });
  const hasOffer = isMember ? offer.data : true;
  if (!hasOffer || !config.data) return null;
  return (
    <aside
      aria-label="Your invitation"
      className="sticky bottom-0 z-10 border-line border-t bg-base-200 px-4 py-2 text-center text-sm print:hidden"
    >
      {`A friend invited you: ${friendOffer(config.data.invitations)}. `}
      {isMember ? "It's taken off when you pay." : "Sign up to get it."}
    </aside>
  );
}

/** Accepts the invitation whose link was opened in this browser. Returns whether the member has the discount. */
async function acceptKept(): Promise<boolean> {
  const code = keptInvitation();
  if (code !== undefined) {
    await browserApi(acceptInvitation, { body: { code } }).catch((error: unknown) => {
      // It is for new members, and this one isn't; anything else is tried again later.
      if (!(error instanceof CallError) || error.status >= 500 || error.status === 429) throw error;
    });
    forgetInvitation();
  }
  return (await browserApi(readInvitationOffer, {})).body.hasDiscount;
}
