import { CallError } from "#contract/client.ts";
import { errorStatus } from "#contract/errors.ts";
import { propertyOf, textOf } from "#contract/property.ts";

/** The identity service's user, who may not be a member yet. */
export type Identity = { uid: string; email: string; name: string; photo: string | null };

/** Whether members sign in with Firebase. */
export function usesFirebase(): boolean {
  return document.documentElement.dataset.identity === "firebase";
}

/** Firebase's SDK, which only shops that use it load. */
export const firebaseClient = () => import("./firebase-client.ts");

/** The signed-in identity, by its session cookie or by Firebase. */
export async function readIdentity(): Promise<Identity | null> {
  if (usesFirebase()) return await (await firebaseClient()).readIdentity();
  const user = propertyOf(await callIdentityService("/get-session"), "user");
  if (user === undefined) return null;
  return {
    uid: requiredText(user, "id"),
    email: requiredText(user, "email"),
    name: requiredText(user, "name"),
    photo: textOf(user, "image") ?? null,
  };
}

/** What proves the identity in calls besides cookies: Firebase's ID token. */
export async function identityProof(): Promise<string | undefined> {
  return usesFirebase() ? await (await firebaseClient()).readIdToken() : undefined;
}

export async function endSession(): Promise<void> {
  if (usesFirebase()) await (await firebaseClient()).endSession(callIdentityService);
  else await callIdentityService("/sign-out", {});
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
  proof?: string,
): Promise<unknown> {
  const answer = await fetch(`/api/auth${path}`, {
    ...(body && {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(proof !== undefined && { authorization: `Bearer ${proof}` }),
      },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    const message = "We can't reach Secondlap. Check your connection and try again.";
    throw new CallError(0, { message, code: "UNREACHABLE" });
  });
  const answered: unknown = await answer.json().catch(() => null);
  if (answer.ok) return answered;
  const code = textOf(answered, "code") ?? "";
  const message = ownMessages[code] ?? messages[code] ?? messageFor(code, answered);
  throw new CallError(answer.status, { code, message });
}

export function requiredText(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text === undefined) throw new Error(`No ${name}`);
  return text;
}

/** Messages for the identity service's error codes. */
const messages: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: "That email and password don't match. Check both and try again.",
  USER_ALREADY_EXISTS: "An account with this email already exists.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "An account with this email already exists.",
  INVALID_EMAIL: "Enter an email address such as you@example.com.",
  INVALID_TOKEN: "This link has already been used or is more than an hour old. Request a new one.",
};

/** Our own messages are for users; the library's are for developers. */
function messageFor(code: string, answer: unknown): string {
  const isOurs = code in errorStatus || code === "WEAK_PASSWORD";
  const message = isOurs ? textOf(answer, "message") : undefined;
  return message ?? "Something went wrong. Please try again in a minute.";
}
