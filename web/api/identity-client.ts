import { z } from "zod";
import { CallError } from "#contract/client.ts";
import { errorStatus } from "#contract/errors.ts";
import { paths } from "../paths.ts";

/** The identity service's user, who may not be a member yet. */
export type Identity = { uid: string; email: string; name: string; photo: string | null };

const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.string().nullish(),
});
const session = z.object({ user }).nullable();

/** The signed-in identity, by its session cookie. */
export async function readIdentity(): Promise<Identity | null> {
  const found = session.parse(await callIdentityService("/get-session"));
  if (!found) return null;
  const { id: uid, email, name, image = null } = found.user;
  return { uid, email, name, photo: image };
}

/** With two-step verification on, the session is created only after the second step. */
export async function signInWithEmail(credentials: {
  email: string;
  password: string;
}): Promise<"signed in" | "second step"> {
  const answered = secondStep.safeParse(await callIdentityService("/sign-in/email", credentials));
  return answered.success ? "second step" : "signed in";
}

const secondStep = z.object({ twoFactorRedirect: z.literal(true) });

export async function signUpWithEmail(credentials: {
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  await callIdentityService("/sign-up/email", credentials);
}

export async function endSession(): Promise<void> {
  await callIdentityService("/sign-out", {});
}

/** The URL of Google's sign-in page; afterwards the user continues to `from`. */
export async function googleSignInUrl(from?: string): Promise<string> {
  const done = paths.authDone(from);
  const ways = { callbackURL: done, errorCallbackURL: done, disableRedirect: true };
  const answer = await callIdentityService("/sign-in/social", { provider: "google", ...ways });
  return z.object({ url: z.string() }).parse(answer).url;
}

/** Requests a password reset email. Returns a message that is the same whether or not the account exists. */
export async function requestPasswordReset(account: { email: string }): Promise<string> {
  const answer = await callIdentityService("/request-password-reset", account);
  return z.object({ message: z.string() }).parse(answer).message;
}

/** Sets a new password with the token of an emailed link, and ends all sessions. */
export async function resetPassword(to: { token: string; newPassword: string }): Promise<void> {
  await callIdentityService("/reset-password", to);
}

/** Whether an error has this code of the identity service. */
export function hasErrorCode(code: string, error: Error | null): boolean {
  return error instanceof CallError && String(error.code) === code;
}

/**
 * Calls the identity service. Throws a `CallError` with a message for the user: from `ownMessages` by code, or a
 * default.
 */
export async function callIdentityService(
  path: string,
  body?: object,
  ownMessages: Record<string, string> = {},
): Promise<unknown> {
  const answer = await fetch(`/api/auth${path}`, {
    ...(body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    const message = "We can't reach Secondlap. Check your connection and try again.";
    throw new CallError(0, { message, code: "UNREACHABLE" });
  });
  const answered: unknown = await answer.json().catch(() => null);
  if (answer.ok) return answered;
  const refused = refusal.parse(answered ?? {});
  const message = ownMessages[refused.code] ?? messages[refused.code] ?? messageFor(refused);
  throw new CallError(answer.status, { code: refused.code, message });
}

const refusal = z.object({ code: z.string().default(""), message: z.string().default("") });

/** Messages for the identity service's error codes. */
const messages: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: "That email and password don't match. Check both and try again.",
  USER_ALREADY_EXISTS: "An account with this email already exists.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "An account with this email already exists.",
  INVALID_EMAIL: "Enter an email address such as you@example.com.",
  INVALID_TOKEN: "This link has already been used or is more than an hour old. Request a new one.",
  PROVIDER_NOT_FOUND:
    "We can't reach Google right now. Try again in a minute, or log in with your email.",
};

/** Our own messages are for users; the library's are for developers. */
function messageFor({ code, message }: z.output<typeof refusal>): string {
  const isOurs = code in errorStatus || code === "WEAK_PASSWORD";
  return isOurs ? message : "Something went wrong. Please try again in a minute.";
}
