import { CallError } from "#contract/client.ts";
import { acceptInvitation, readInvitationOffer } from "#contract/invitations.ts";
import { browserApi, queryOf } from "#web/api/api.ts";
import { forgetInvitation, keptInvitation } from "./kept-invitation.ts";

/** Accepts the invitation whose link was opened in this browser, if there is one. */
export async function acceptKeptInvitation(): Promise<void> {
  const code = keptInvitation();
  if (code === undefined) return;
  const wasAnswered = await browserApi(acceptInvitation, { body: { code } }).then(
    () => true,
    // It is for new members, and this one isn't. Anything else is tried again later.
    (error: unknown) => error instanceof CallError && isRefusal(error.status),
  );
  if (wasAnswered) forgetInvitation();
}

/** Not while the server can't be reached (0), is overloaded or fails. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Whether the member has a friend's discount, after the kept invitation was accepted: they may have signed up by it just now. */
export const offerQuery = {
  ...queryOf(readInvitationOffer, {}),
  queryFn: async () => {
    await acceptKeptInvitation();
    return (await browserApi(readInvitationOffer, {})).body;
  },
};
