import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { PublicConfig } from "#contract/config.ts";
import { toast } from "#web/ui/toast.ts";
import { registerProviderMember } from "../api/access-token.ts";
import {
  callIdentityService,
  firebaseClient,
  readIdentity,
  requiredText,
  usesFirebase,
} from "../api/identity-client.ts";
import { browserQueries } from "../api/query-client.ts";
import { paths } from "../paths.ts";
import { type Session, sessionQuery } from "./session.ts";

export type SignInProvider = PublicConfig["signInProviders"][number];

type Start = { provider: SignInProvider; popup: Window | null };

/** `error`: the popup's error code; always null with Firebase, which opens its own popup. */
type Entering = { provider: SignInProvider; error: string | null };

/** Closing the popup shows no error. */
export function useProviderSignIn(
  from: string | undefined,
  options: { onEntered?: (session: Session) => void; onSecondStep?: () => void } = {},
) {
  const navigate = useNavigate();
  const { onEntered, onSecondStep = () => navigate(paths.secondStep(from)) } = options;
  const enter = useMutation({
    mutationFn: async ({ provider: { label }, error }: Entering) => {
      if (usesFirebase() && !(await (await firebaseClient()).signInWithGoogle())) return null;
      return await finishProviderSignIn(error, label);
    },
    onSuccess: (entered) => {
      if (entered === "second step") return onSecondStep();
      if (entered) onEntered?.(entered);
      return undefined;
    },
  });
  const ask = useMutation({
    mutationFn: async ({ provider, popup }: Start) => {
      if (!popup) throw new Error(`Your browser blocked the ${provider.label} window.`);
      popup.location.href = await providerSignInUrl(provider.id);
      watchSignInPopup(popup, (error) => enter.mutate({ provider, error }));
    },
    onError: (_, { popup }) => popup?.close(),
  });
  const here = useMutation({
    mutationFn: async ({ provider, to }: { provider: SignInProvider; to: string }) =>
      location.assign(await providerSignInUrl(provider.id, to)),
  });
  const isBlocked = ask.isError && ask.variables.popup === null;
  return {
    start: (provider: SignInProvider) => {
      for (const earlier of [enter, here]) earlier.reset();
      if (usesFirebase()) enter.mutate({ provider, error: null });
      else ask.mutate({ provider, popup: openSignInPopup() });
    },
    /** For browsers that block the popup: signs in within this tab, then opens `to`. */
    startHere: here.mutate,
    starting: startingOf(ask) ?? startingOf(here) ?? startingOf(enter),
    blocked: isBlocked ? ask.variables.provider : undefined,
    error: here.error ?? enter.error ?? ask.error,
  };
}

type Starting = { isPending: boolean; variables: { provider: SignInProvider } | undefined };

function startingOf({ isPending, variables }: Starting): SignInProvider["id"] | undefined {
  return isPending ? variables?.provider.id : undefined;
}

/**
 * Creates a buyer if there is no membership yet. Returns the session, "second step" if a code is
 * required, or null if the user didn't sign in. Throws with a message for the user.
 */
export async function finishProviderSignIn(
  error: string | null,
  label: string,
): Promise<Session | "second step" | null> {
  if (error === "second_step_required") return "second step";
  if (error !== null) throw new Error(messageFor(error, label));
  const identity = await readIdentity();
  if (!identity) return null;
  await registerProviderMember(identity);
  const session = await browserQueries.query({ ...sessionQuery, staleTime: 0 });
  toast.success("Login Successful.");
  return session;
}

/** The name of the popup and of the channel that it answers on. */
const popupName = "sign-in";

/** How often the page polls for a session after the popup has closed. */
const pollIntervalMs = 1_000;
const maxPolls = 5;

/** Opens synchronously, so that popup blockers allow it. Null for a blocked popup. */
function openSignInPopup(): Window | null {
  return open("about:blank", popupName, "popup,width=480,height=640");
}

let watcher = new AbortController();

/**
 * Calls `onBack` with an error code, or with null after a sign-in. Our Cross-Origin-Opener-Policy
 * makes `closed` true too early, so the page then polls a few times for a session.
 */
function watchSignInPopup(popup: Window, onBack: (error: string | null) => void): void {
  stopWatchingSignInPopup();
  watcher = new AbortController();
  const { signal } = watcher;
  const finish = (errorCode: string | null) => {
    if (signal.aborted) return;
    stopWatchingSignInPopup();
    onBack(errorCode);
  };

  const channel = new BroadcastChannel(popupName);
  channel.onmessage = ({ data }) => finish(typeof data === "string" ? data : null);
  let left = maxPolls;
  const timer = setInterval(async () => {
    if (!popup.closed || left === 0) return;
    left -= 1;
    if (await readIdentity().catch(() => null)) finish(null);
  }, pollIntervalMs);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    channel.close();
  });
}

export function stopWatchingSignInPopup(): void {
  watcher.abort();
}

/** Runs in the popup. Returns only if the popup can't be closed. */
export async function closeSignInPopup(errorCode: string | null): Promise<void> {
  const channel = new BroadcastChannel(popupName);
  channel.postMessage(errorCode);
  channel.close();
  window.close();
  await new Promise((stillHere) => setTimeout(stillHere, 300));
}

async function providerSignInUrl(provider: string, from?: string): Promise<string> {
  const done = paths.authDone({ provider, ...(from !== undefined && { from }) });
  const ways = { callbackURL: done, errorCallbackURL: done, disableRedirect: true };
  const answer = await callIdentityService("/sign-in/social", { provider, ...ways });
  return requiredText(answer, "url");
}

/** Codes come from the provider or the identity service (decisions/identity). */
function messageFor(error: string, label: string): string {
  const messages: Record<string, string> = {
    access_denied: `${label} sign-in was canceled. Try again, or log in with your email and password.`,
    account_not_linked: `You already have an account with this email and a password. Log in with your password, or set a new one with Forget Password? After that, you can use ${label} too.`,
    ACCOUNT_SUSPENDED:
      "This account is suspended. If you think that is a mistake, write to us: see Contact at the bottom of the page.",
    ADDRESS_BLOCKED: "This address can't be used for a new account right now. Use another one.",
    email_not_found: `${label} didn't tell us your email address. Allow it there and try again, or sign up with a password.`,
    email_not_verified: `${label} hasn't verified this email address yet. Verify it with ${label}, or sign up with a password.`,
  };
  return messages[error] ?? `We couldn't sign you in with ${label}. Please try again.`;
}
