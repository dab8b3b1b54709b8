import { z } from "zod";
import { CallError } from "#contract/client.ts";
import { errorStatus } from "#contract/errors.ts";
import { paths } from "../paths.ts";

/** Who the identity service says the browser is, member or not; the photo by its address here. */
export type Identity = { uid: string; email: string; name: string; photo: string | null };

const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: z.string().nullish(),
});
const session = z.object({ user }).nullable();

/** Who is signed in at the identity service, by its cookie. */
export async function readIdentity(): Promise<Identity | null> {
  const found = session.parse(await callIdentityService("/get-session"));
  if (!found) return null;
  const { id: uid, email, name, image = null } = found.user;
  return { uid, email, name, photo: image };
}

/** Logs in by password. With two-step verification on there is no session before the second step. */
export async function signInWithEmail(who: {
  email: string;
  password: string;
}): Promise<"signed in" | "second step"> {
  const answered = secondStep.safeParse(await callIdentityService("/sign-in/email", who));
  return answered.success ? "second step" : "signed in";
}

const secondStep = z.object({ twoFactorRedirect: z.literal(true) });

export async function signUpWithEmail(who: {
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  await callIdentityService("/sign-up/email", who);
}

export async function endSession(): Promise<void> {
  await callIdentityService("/sign-out", {});
}

/** The address of Google's own page to sign in at; `from` is where the way back goes on to. */
export async function googleSignInUrl(from?: string): Promise<string> {
  const done = paths.authDone(from);
  const ways = { callbackURL: done, errorCallbackURL: done, disableRedirect: true };
  const asked = await callIdentityService("/sign-in/social", { provider: "google", ...ways });
  return z.object({ url: z.string() }).parse(asked).url;
}

/** Asks for a mail with a link to set a new password; answers a sentence, the same for every address. */
export async function requestPasswordReset(who: { email: string }): Promise<string> {
  const asked = await callIdentityService("/request-password-reset", who);
  return z.object({ message: z.string() }).parse(asked).message;
}

/** Sets a new password by the token of a mailed link, and ends every session there is. */
export async function resetPassword(to: { token: string; newPassword: string }): Promise<void> {
  await callIdentityService("/reset-password", to);
}

/** Whether the identity service refused something with this code of its own. */
export function hasErrorCode(code: string, error: Error | null): boolean {
  return error instanceof CallError && String(error.code) === code;
}

/**
 * Asks the identity service. Throws a `CallError` with a sentence for people where it refuses: from `words`,
 * by its code, where it is there.
 */
export async function callIdentityService(
  path: string,
  body?: object,
  words: Record<string, string> = {},
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
  const message = words[refused.code] ?? sentences[refused.code] ?? sentence(refused);
  throw new CallError(answer.status, { code: refused.code, message });
}

const refusal = z.object({ code: z.string().default(""), message: z.string().default("") });

/** What the identity service's codes mean, in words that say what to do. */
const sentences: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: "That email and password don't match. Check both and try again.",
  USER_ALREADY_EXISTS: "An account with this email already exists.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "An account with this email already exists.",
  INVALID_EMAIL: "Enter an email address such as you@example.com.",
  INVALID_TOKEN: "This link has already been used or is more than an hour old. Request a new one.",
  PROVIDER_NOT_FOUND:
    "We can't reach Google right now. Try again in a minute, or log in with your email.",
};

/** Our own refusals are sentences already; what else the service says is written for programmers. */
function sentence({ code, message }: z.output<typeof refusal>): string {
  const isOurs = code in errorStatus || code === "WEAK_PASSWORD";
  return isOurs ? message : "Something went wrong. Please try again in a minute.";
}
