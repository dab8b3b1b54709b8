import { CallError, propertyOf, textOf, unreachable } from "#contract/client.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";

/** The identity service's user, who may not be a member yet. */
export type Identity = { uid: string; email: string; name: string; photo: string | null };

export function usesFirebase(): boolean {
  return document.documentElement.dataset.identity === "firebase";
}

/** Firebase's SDK, loaded only in shops that use it. */
export const firebaseClient = () => import("./firebase-client.ts");

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

/** Firebase's ID token; undefined without Firebase, because then the cookie proves the identity. */
export async function identityProof(): Promise<string | undefined> {
  return usesFirebase() ? await (await firebaseClient()).readIdToken() : undefined;
}

export async function endSession(): Promise<void> {
  if (usesFirebase()) (await firebaseClient()).endSession();
  else await callIdentityService("/sign-out", {});
}

export function hasErrorCode(code: string, error: Error | null): boolean {
  return error instanceof CallError && String(error.code) === code;
}

/** Throws a `CallError` with a message for the user. `ownMessages` are keyed by error code. */
export async function callIdentityService(
  path: string,
  body?: object,
  ownMessages: Record<string, string> = {},
): Promise<unknown> {
  const answer = await fetchWithTimeout(`/api/auth${path}`, {
    ...(body && {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch(unreachable);
  const answered: unknown = await answer.json().catch(() => (answer.ok ? unreachable() : null));
  if (answer.ok) return answered;
  const code = textOf(answered, "code") ?? "";
  const message = ownMessages[code] ?? (await messageFor(code, answered));
  throw new CallError(answer.status, { code, message });
}

/** The texts load on demand, because few pages need them. */
async function messageFor(code: string, answer: unknown): Promise<string> {
  const errors = await import("./identity-errors.ts").catch(unreachable);
  return errors.messageFor(code, answer);
}

export function requiredText(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text === undefined) throw new Error(`No ${name}`);
  return text;
}
