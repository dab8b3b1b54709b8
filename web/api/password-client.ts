import { propertyOf } from "#contract/client.ts";
import {
  callIdentityService,
  firebaseClient,
  requiredText,
  usesFirebase,
} from "./identity-client.ts";

/** With two-step verification, the session is created only after the second step. */
export async function signInWithEmail(credentials: {
  email: string;
  password: string;
}): Promise<"signed in" | "second step"> {
  if (usesFirebase()) {
    await (await firebaseClient()).signInWithEmail(credentials);
    return "signed in";
  }
  const answer = await callIdentityService("/sign-in/email", credentials);
  return propertyOf(answer, "twoFactorRedirect") === true ? "second step" : "signed in";
}

export async function signUpWithEmail(credentials: {
  name: string;
  email: string;
  password: string;
}): Promise<void> {
  if (usesFirebase()) await (await firebaseClient()).signUpWithEmail(credentials);
  else await callIdentityService("/sign-up/email", credentials);
}

/** The returned text doesn't reveal whether the account exists. */
export async function requestPasswordReset(account: { email: string }): Promise<string> {
  if (usesFirebase()) return await (await firebaseClient()).requestPasswordReset(account);
  const answer = await callIdentityService("/request-password-reset", account);
  return requiredText(answer, "message");
}

/** Sets a new password with the token from an emailed link, and ends all sessions. */
export async function resetPassword(to: { token: string; newPassword: string }): Promise<void> {
  await callIdentityService("/reset-password", to);
}
