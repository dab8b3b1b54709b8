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
    // These mean that there is no such invitation. After other errors, the code is kept.
    (error: unknown) =>
      error instanceof CallError && ["NOT_FOUND", "INVALID_INPUT"].includes(error.code),
  );
  if (wasAnswered) forgetInvitation();
}

/** Accepts the stored invitation first: the member may have just signed up through it. */
export const offerQuery = {
  ...queryOf(readInvitationOffer, {}),
  queryFn: async () => {
    await acceptKeptInvitation();
    return (await browserApi(readInvitationOffer, {})).body;
  },
};
