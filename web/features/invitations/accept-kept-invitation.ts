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
    // There is no such invitation for this member. Other errors say nothing about it.
    (error: unknown) =>
      error instanceof CallError && ["NOT_FOUND", "INVALID_INPUT"].includes(error.code),
  );
  if (wasAnswered) forgetInvitation();
}

/**
 * Whether the member has a friend's discount. Accepts the kept invitation first, because they may
 * have just signed up through it.
 */
export const offerQuery = {
  ...queryOf(readInvitationOffer, {}),
  queryFn: async () => {
    await acceptKeptInvitation();
    return (await browserApi(readInvitationOffer, {})).body;
  },
};
