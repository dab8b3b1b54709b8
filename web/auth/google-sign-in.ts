import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { toast } from "#web/ui/toast.ts";
import { registerProviderMember } from "../api/access-token.ts";
import { callIdentityService, readIdentity, requiredText } from "../api/identity-client.ts";
import { paths } from "../paths.ts";
import { openGooglePopup, watchGooglePopup } from "./google-popup.ts";
import { type Session, sessionQuery } from "./session.ts";

/** Google sign-in in a popup. Closing the popup shows no error (specification 6). */
export function useGoogleSignIn(
  from: string | undefined,
  options: { onEntered?: (session: Session) => void; onSecondStep?: () => void } = {},
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { onEntered, onSecondStep = () => navigate(paths.secondStep(from)) } = options;
  const enter = useMutation({
    mutationFn: (error: string | null) => finishGoogleSignIn(queries, error),
    onSuccess: (entered) => {
      if (entered === "second step") return onSecondStep();
      if (entered) onEntered?.(entered);
      return undefined;
    },
  });
  const ask = useMutation({
    mutationFn: async (popup: Window | null) => {
      if (!popup) throw new Error("Your browser blocked the Google window.");
      popup.location.href = await googleSignInUrl();
      watchGooglePopup(popup, enter.mutate);
    },
    onError: (_, popup) => popup?.close(),
  });
  const here = useMutation({
    mutationFn: async (from: string) => location.assign(await googleSignInUrl(from)),
  });
  return {
    start: () => {
      for (const earlier of [enter, here]) earlier.reset();
      ask.mutate(openGooglePopup());
    },
    /** For browsers that block the popup: signs in in this tab, then goes to `from`. */
    startHere: here.mutate,
    isStarting: ask.isPending || here.isPending,
    isBlocked: ask.isError && ask.variables === null,
    error: here.error ?? enter.error ?? ask.error,
  };
}

/**
 * Completes a Google sign-in: creates a buyer if there is no membership yet, and loads the session. Returns
 * "second step" if a code is required, and null if nobody signed in. Throws with a message for the user if
 * Google returned an error.
 */
export async function finishGoogleSignIn(
  queries: QueryClient,
  error: string | null,
): Promise<Session | "second step" | null> {
  if (error === "second_step_required") return "second step";
  if (error !== null) throw new Error(messages[error] ?? messages.other);
  const identity = await readIdentity();
  if (!identity) return null;
  await registerProviderMember(identity);
  const session = await queries.query({ ...sessionQuery, staleTime: 0 });
  toast.success("Login Successful.");
  return session;
}

/** The URL of Google's sign-in page; afterwards the user continues to `from`. */
async function googleSignInUrl(from?: string): Promise<string> {
  const done = paths.authDone(from);
  const ways = { callbackURL: done, errorCallbackURL: done, disableRedirect: true };
  const answer = await callIdentityService("/sign-in/social", { provider: "google", ...ways });
  return requiredText(answer, "url");
}

/** Messages for the error codes of Google and the identity service (decision 0008). */
const messages: Record<string, string> = {
  access_denied: "Google sign-in was cancelled. Try again, or log in with your email and password.",
  account_not_linked:
    "You already have an account with this email and a password. Log in with your password, or set a new one with Forget Password? After that, you can use Google too.",
  ACCOUNT_SUSPENDED:
    "This account is suspended. Write to our support team if you think that is a mistake.",
  ADDRESS_BLOCKED: "This address can't be used for a new account right now. Use another one.",
  email_not_verified:
    "Google hasn't verified this email address yet. Verify it with Google, or sign up with a password.",
  other: "We couldn't sign you in with Google. Please try again.",
};
