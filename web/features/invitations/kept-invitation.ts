import { CallError } from "#contract/client.ts";
import { acceptInvitation, readInvitationOffer } from "#contract/invitations.ts";
import { browserApi, queryOf } from "#web/api/api.ts";

const key = "secondlap.invitation";
const day = 24 * 3_600_000;

/** Stores the code of the invitation link that was opened, until the visitor has signed up. */
export function keepInvitation(code: string): void {
  write(JSON.stringify({ code, until: Date.now() + 30 * day }));
}

/** The code of a link that was opened in this browser within the last 30 days. */
export function keptInvitation(): string | undefined {
  try {
    const { code, until } = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof code === "string" && until > Date.now() ? code : undefined;
  } catch {
    return undefined;
  }
}

export function forgetInvitation(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is off, so there is nothing to remove.
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is off or full. The member can still type the code.
  }
}

/** Accepts the invitation whose link was opened in this browser, if there is one. */
export async function acceptKeptInvitation(): Promise<void> {
  const code = keptInvitation();
  if (code === undefined) return;
  const wasAnswered = await browserApi(acceptInvitation, { body: { code } }).then(
    () => true,
    // These codes mean that there is no such invitation. After other errors, the code is kept.
    (error: unknown) =>
      error instanceof CallError && ["NOT_FOUND", "INVALID_INPUT"].includes(error.code),
  );
  if (wasAnswered) forgetInvitation();
}

/**
 * The query for the member's invitation discount. Accepts the stored invitation first, because the
 * member may have just signed up through it.
 */
export const offerQuery = {
  ...queryOf(readInvitationOffer, {}),
  queryFn: async () => {
    await acceptKeptInvitation();
    return (await browserApi(readInvitationOffer, {})).body;
  },
};
