import { CallError } from "#contract/client.ts";
import { acceptInvitation, readInvitationOffer } from "#contract/invitations.ts";
import { browserApi, queryOf } from "#web/api/api.ts";

const key = "secondlap.invitation";
const day = 24 * 3_600_000;

/** Stores the code for 30 days, or until it has been accepted or found invalid. */
export function keepInvitation(code: string): void {
  try {
    localStorage.setItem(key, JSON.stringify({ code, until: Date.now() + 30 * day }));
  } catch {
    // Storage is off or full. The member can still type the code.
  }
}

export function keptInvitation(): string | undefined {
  try {
    const { code, until } = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof code === "string" && until > Date.now() ? code : undefined;
  } catch {
    return undefined;
  }
}

export async function acceptKeptInvitation(): Promise<void> {
  const code = keptInvitation();
  if (code === undefined) return;
  const wasAnswered = await browserApi(acceptInvitation, { body: { code } }).then(
    () => true,
    // These errors mean that the code is invalid. After any other error, the code is kept.
    (error: unknown) =>
      error instanceof CallError && ["NOT_FOUND", "INVALID_INPUT"].includes(error.code),
  );
  if (wasAnswered) localStorage.removeItem(key);
}

/** Accepts the stored invitation first: the member may have just signed up through it. */
export const offerQuery = {
  ...queryOf(readInvitationOffer, {}),
  queryFn: async () => {
    await acceptKeptInvitation();
    return (await browserApi(readInvitationOffer, {})).body;
  },
};
