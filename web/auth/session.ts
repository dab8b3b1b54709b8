import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { readSecondFactors } from "#contract/account.ts";
import { isAdmin, isSeller, readConfirmation } from "#contract/members.ts";
import type { StaffRole } from "#contract/roles.ts";
import { toast } from "#web/ui/toast.ts";
import { accessTokenKey, clearAccessToken, renewAccessToken } from "../api/access-token.ts";
import { browserApi, useMutationOnce } from "../api/api.ts";
import { endSession, readIdentity } from "../api/identity-client.ts";
import { browserQueries, sessionKey } from "../api/query-client.ts";
import { paths } from "../paths.ts";
import { clearDrafts } from "../ui/clear-drafts.ts";
import { useHydrated } from "../ui/use-hydrated.ts";

/** Roles come from the server (specification 3.7). */
export type Session = {
  user: { uid: string; email: string; displayName: string; photo: string | null };
  isAdmin: boolean;
  /** Null for members who aren't admins. */
  staffRole: StaffRole | null;
  isSeller: boolean;
  alsoBuys: boolean;
  verify: boolean;
  confirmed: boolean;
  /** Whether the shop requires a second factor that this admin has not used in this session. */
  needsSecondFactor: boolean;
};

/** The session; null for a visitor. Roles are looked up by email (specification 6). */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: readSession,
  staleTime: 5 * 60_000,
  meta: { reads: ["account"] },
});

async function readSession(): Promise<Session | null> {
  const identity = await readIdentity();
  if (!identity) {
    clearAccessToken();
    return null;
  }
  const { uid, email, name: displayName, photo } = identity;
  // In sessionStorage, because a reload must not forget whose drafts this tab has.
  if ((sessionStorage.formOwner ?? uid) !== uid) clearDrafts();
  sessionStorage.formOwner = uid;
  await renewAccessToken(identity);
  const [admin, seller, confirmation] = await Promise.all([
    browserApi(isAdmin, { params: { email } }),
    browserApi(isSeller, { params: { email } }),
    browserApi(readConfirmation, {}),
  ]);
  const { confirmed } = confirmation.body;
  const factors = admin.body.isAdmin ? (await browserApi(readSecondFactors, {})).body : null;
  const needsSecondFactor = Boolean(factors?.required && !factors.shown);
  const staffRole = factors?.staffRole ?? null;
  const user = { uid, email, displayName, photo };
  return { user, needsSecondFactor, staffRole, ...admin.body, ...seller.body, confirmed };
}

/**
 * Null for visitors, and if the session can't be read. Undefined while unknown, and until
 * hydration, because all visitors get the same markup.
 */
export function useSession(): Session | null | undefined {
  const hydrated = useHydrated();
  // The page `/auth/done` creates the membership and then loads the session itself.
  const enabled = hydrated && location.pathname !== paths.authDone();
  const { data, isError } = useQuery({ ...sessionQuery, enabled });
  if (!hydrated) return undefined;
  return data === undefined && isError ? null : data;
}

/** Undefined while unknown. If the session can't be read, a stored access token decides. */
export function useSignedIn(): boolean | undefined {
  const session = useSession();
  const { isError } = useQuery({ ...sessionQuery, enabled: false });
  if (session === null && isError) return localStorage.getItem(accessTokenKey) !== null;
  return session === undefined ? undefined : session !== null;
}

export function useSignOut() {
  const leave = useAfterSignOut();
  return useMutationOnce({
    mutationFn: endSession,
    onSuccess: async () => {
      toast.dismiss();
      await leave();
    },
    // A failed sign-out is only logged (specification 8).
    onError: (error) => reportError(error),
  });
}

export function useAfterSignOut(to = paths.login()) {
  const navigate = useNavigate();
  return async () => {
    // Cancels the query, because a session that arrives later would sign the user in again.
    await browserQueries.cancelQueries(sessionQuery);
    clearAccessToken();
    clearDrafts();
    browserQueries.setQueryData(sessionQuery.queryKey, null);
    await navigate(to);
  };
}
