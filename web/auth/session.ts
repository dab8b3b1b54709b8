import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import type { z } from "zod";
import { deleteAccount, readSecondFactors } from "#contract/account.ts";
import {
  isAdmin,
  isSeller,
  type loginForm,
  readConfirmation,
  type signUpForm,
} from "#contract/members.ts";
import { browserApi } from "../api/api.ts";
import { sessionKey } from "../api/query-client.ts";
import { useMutationOnce } from "../api/use-mutation-once.ts";
import { paths } from "../paths.ts";
import { clearDrafts } from "../ui/drafts.ts";
import { useHydrated } from "../ui/use-hydrated.ts";
import {
  accessTokenKey,
  clearAccessToken,
  fetchAccessToken,
  registerMember,
} from "./access-token.ts";
import { stopWatchingGooglePopup } from "./google-popup.ts";
import {
  endSession,
  readIdentity,
  resetPassword,
  signInWithEmail,
  signUpWithEmail,
} from "./identity-client.ts";
import { rememberAccountType } from "./remembered-account-type.ts";

/** The signed-in user as the client knows it, with the roles the server names (specification 3). */
export type Session = {
  user: { uid: string; email: string; displayName: string; photo: string | null };
  isAdmin: boolean;
  isSeller: boolean;
  verify: boolean;
  /** Whether the email address is confirmed. */
  confirmed: boolean;
  /** Whether an admin has to show a second factor before the admin pages work. */
  needsSecondFactor: boolean;
};

/** Who is signed in; null for a visitor. Roles are looked up by email (specification 6). */
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
  await fetchAccessToken(identity);
  const [admin, seller, confirmation] = await Promise.all([
    browserApi(isAdmin, { params: { email } }),
    browserApi(isSeller, { params: { email } }),
    browserApi(readConfirmation, {}),
  ]);
  const { confirmed } = confirmation.body;
  const needsSecondFactor = admin.body.isAdmin && (await needsToShowSecondFactor());
  const user = { uid, email, displayName, photo };
  return { user, needsSecondFactor, ...admin.body, ...seller.body, confirmed };
}

async function needsToShowSecondFactor(): Promise<boolean> {
  const { required, shown } = (await browserApi(readSecondFactors, {})).body;
  return required && !shown;
}

/**
 * Who is signed in; undefined until that is known, as it is on the server and in the first render, which
 * are the same for everyone.
 */
export function useSession(): Session | null | undefined {
  const hydrated = useHydrated();
  // Whom Google has just let in is made a member before anything else is asked for them.
  const enabled = hydrated && location.pathname !== paths.authDone();
  const { data, isError } = useQuery({ ...sessionQuery, enabled });
  if (!hydrated) return undefined;
  return data === undefined && isError ? null : data;
}

/**
 * Whether the bar treats the browser as signed in; undefined until that is known. While a member's roles
 * cannot be read, their stored access token tells.
 */
export function useSignedIn(): boolean | undefined {
  const session = useSession();
  const { isError } = useQuery({ ...sessionQuery, enabled: false });
  if (session === null && isError) return localStorage.getItem(accessTokenKey) !== null;
  return session === undefined ? undefined : session !== null;
}

/** Logging in; once it succeeds the session is known, or the second step is asked for. */
export function useLogIn(from: string | undefined) {
  const navigate = useNavigate();
  const options = { onSecondStep: () => void navigate(paths.secondStep(from)) };
  return useSignInMutation(
    (who: z.output<typeof loginForm>) => signInWithEmail(who),
    "Login Successful.",
    options,
  );
}

/** Signing up: an identity, then a membership with the chosen account type. */
export function useSignUp() {
  return useSignInMutation(async ({ accountType, ...who }: z.output<typeof signUpForm>) => {
    rememberAccountType(who.email, accountType);
    await signUpWithEmail(who).catch(unlessSignedUpAs(who.email));
    await registerMember(who);
  }, "User Created Successfully.");
}

/** An earlier try may have made the identity and been cut off before the membership: then this one goes on. */
function unlessSignedUpAs(email: string) {
  return async (error: Error) => {
    const identity = await readIdentity();
    if (identity?.email !== email) throw error;
  };
}

/** A way in: once it succeeds the session is known, unless it ends with a second step to be taken. */
export function useSignInMutation<V>(
  enter: (values: V) => Promise<unknown>,
  success: string,
  { onSecondStep = () => {} }: { onSecondStep?: () => void } = {},
) {
  const queries = useQueryClient();
  return useMutationOnce({
    mutationFn: async (values: V) => {
      stopWatchingGooglePopup();
      const entered = await enter(values);
      if (entered !== "second step") await queries.query({ ...sessionQuery, staleTime: 0 });
      return entered;
    },
    onSuccess: (entered) => {
      if (entered === "second step") return onSecondStep();
      clearDrafts();
      toast.success(success);
    },
  });
}

/** Signing out, which leads to the login page. */
export function useSignOut() {
  const leave = useAfterSignOut();
  return useMutationOnce({
    mutationFn: endSession,
    onSuccess: async () => {
      toast.dismiss();
      await leave();
    },
    // Only logged (specification 8): the session is still there, and so is the button.
    onError: (error) => reportError(error),
  });
}

/** Deleting one's own account, which leads to the login page. */
export function useDeleteAccount() {
  const leave = useAfterSignOut();
  return useMutationOnce({
    mutationFn: async () => {
      await browserApi(deleteAccount, {});
      // The session is gone already; this takes its cookie away.
      await endSession().catch(() => {});
    },
    onSuccess: async () => {
      toast.success("Your account has been deleted.");
      await leave();
    },
  });
}

/** Setting a new password by the token of a mailed link. It signs everybody out, this browser too. */
export function useResetPassword(token: string) {
  const leave = useAfterSignOut();
  return useMutationOnce({
    mutationFn: ({ password }: { password: string }) =>
      resetPassword({ token, newPassword: password }),
    onSuccess: async () => {
      toast.success("Your password has been changed. Log in with the new one.");
      await leave();
    },
  });
}

/** What the browser does once its session has ended. */
function useAfterSignOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    clearAccessToken();
    clearDrafts();
    queries.setQueryData(sessionQuery.queryKey, null);
    await navigate(paths.login());
  };
}
