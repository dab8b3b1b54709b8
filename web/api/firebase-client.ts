import { FirebaseError, initializeApp } from "@firebase/app";
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  EmailAuthProvider,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  reauthenticateWithCredential,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
} from "@firebase/auth";
import { CallError, send } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";

let opening: Promise<Auth> | undefined;

/** Waits until the user is known. After a failure, the next call retries. */
async function openAuth(): Promise<Auth> {
  opening ??= connect().catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  const auth = await opening;
  // Another tab may have been closed before its sign-out finished.
  if (isSignedOut()) await leave(auth);
  return auth;
}

async function connect(): Promise<Auth> {
  const api = { host: "/api", fetch: (...from: Parameters<typeof fetch>) => fetch(...from) };
  const { firebase } = (await send(api, readConfig, {})).body;
  if (!firebase) throw new Error("This shop doesn't use Firebase anymore. Reload the page.");
  const { emulatorUrl, ...project } = firebase;
  const auth = initializeAuth(initializeApp(project), {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence],
  });
  if (emulatorUrl !== null) connectAuthEmulator(auth, emulatorUrl, { disableWarnings: true });
  await auth.authStateReady();
  return auth;
}

export async function readIdentity() {
  if (isSignedOut()) {
    finishSignOut();
    return null;
  }
  const { currentUser: user } = await openAuth();
  if (!user?.email) return null;
  const email = user.email.toLowerCase();
  const [local = ""] = email.split("@");
  return { uid: user.uid, email, name: user.displayName ?? local, photo: ownPhoto(user.photoURL) };
}

/** Null if another site, such as Google, hosts the photo: such photos are not shown. */
function ownPhoto(url: string | null): string | null {
  return url?.startsWith(`${location.origin}/`) ? url : null;
}

/** The signed-in user's ID token, renewed if it is about to expire. */
export async function readIdToken(): Promise<string | undefined> {
  if (isSignedOut()) return undefined;
  const { currentUser } = await openAuth();
  return await currentUser?.getIdToken().catch(toCallError);
}

type Credentials = { email: string; password: string };

export async function signInWithEmail({ email, password }: Credentials): Promise<void> {
  await signInWithEmailAndPassword(await openAuth(), email, password).catch(toCallError);
}

export async function signUpWithEmail(person: Credentials & { name: string }): Promise<void> {
  const { email, password, name: displayName } = person;
  const auth = await openAuth();
  const { user } = await createUserWithEmailAndPassword(auth, email, password).catch(toCallError);
  await updateProfile(user, { displayName }).catch(toCallError);
}

/** Returns whether the user signed in. Closing the popup is not an error. */
export async function signInWithGoogle(): Promise<boolean> {
  const provider = new GoogleAuthProvider().setCustomParameters({ prompt: "select_account" });
  try {
    await signInWithPopup(await openAuth(), provider, browserPopupRedirectResolver);
    confirmedAt = Date.now();
    return true;
  } catch (error) {
    if (error instanceof FirebaseError && closed.has(error.code)) return false;
    return toCallError(error);
  }
}

const closed = new Set(["auth/popup-closed-by-user", "auth/cancelled-popup-request"]);

/** The returned text doesn't reveal whether the account exists. */
export async function requestPasswordReset({ email }: { email: string }): Promise<string> {
  await sendPasswordResetEmail(await openAuth(), email).catch((error: unknown) => {
    if (!(error instanceof FirebaseError && error.code === "auth/user-not-found"))
      toCallError(error);
  });
  return `If there is an account for ${email}, we've emailed you a link.`;
}

export async function updateIdentity(profile: {
  name: string;
  photoURL: string | null;
}): Promise<void> {
  const { currentUser } = await openAuth();
  const { name: displayName, photoURL } = profile;
  if (currentUser)
    await updateProfile(currentUser, { displayName, photoURL: photoURL ?? "" }).catch(toCallError);
}

/** Set from sign-out until the SDK has removed the user. The SDK may first wait for Firebase. */
const signedOutKey = "firebaseSignedOut";

function isSignedOut(): boolean {
  return localStorage.getItem(signedOutKey) !== null;
}

/** Signs out at once. The SDK and our server may be slow, so they follow in the background. */
export function endSession(): void {
  localStorage.setItem(signedOutKey, "true");
  finishSignOut();
}

/** Signs out of the SDK and our server. Failures are only logged (specification 8). */
function finishSignOut(): void {
  void openAuth().catch(reportError);
}

async function leave(auth: Auth): Promise<void> {
  const { currentUser } = auth;
  await signOut(auth);
  localStorage.removeItem(signedOutKey);
  if (currentUser) void endAtServer(currentUser).catch(reportError);
}

const signOutTimeoutMs = 10_000;

async function endAtServer(user: User): Promise<void> {
  const signal = AbortSignal.timeout(signOutTimeoutMs);
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${await user.getIdToken()}`,
  };
  const request = { method: "POST", headers, body: "{}", keepalive: true, signal };
  const { ok, status } = await fetch("/api/auth/sign-out", request);
  if (!ok) throw new Error(`The session was not ended at the server: ${status}`);
}

/** Signs out of Firebase only. `endSession` also ends the session on our server. */
async function signOutHere(): Promise<void> {
  await signOut(await openAuth());
}

/** Signs out a member whom Firebase accepts but our server rejects, such as a suspended one. */
export async function forgetRefused(error: unknown): Promise<void> {
  if (error instanceof CallError && [401, 403].includes(error.status)) await signOutHere();
}

/** Whether our server couldn't be reached, or was unavailable, as when it can't reach Firebase. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CallError && [0, 503].includes(error.status);
}

/** A minute less than Firebase's five minutes for deleting an account after a sign-in. */
const recentMs = 4 * 60_000;

/** The last time the user confirmed their identity, by the browser's clock, not Firebase's. */
let confirmedAt = 0;

/** Throws `CONFIRM_PASSWORD` or `CONFIRM_PROVIDER`, as the server does, for an old sign-in. */
export async function requireRecentSignIn(): Promise<void> {
  const { currentUser } = await openAuth();
  if (!currentUser) return;
  const { authTime } = await currentUser.getIdTokenResult().catch(toCallError);
  if (Date.now() - Math.max(Date.parse(authTime), confirmedAt) < recentMs) return;
  const hasPassword = currentUser.providerData.some(({ providerId }) => providerId === "password");
  throw new CallError(403, {
    code: hasPassword ? "CONFIRM_PASSWORD" : "CONFIRM_PROVIDER",
    message: "Confirm that it's you.",
  });
}

export async function confirmPassword(password: string): Promise<void> {
  const { currentUser } = await openAuth();
  if (!currentUser?.email) return;
  const credential = EmailAuthProvider.credential(currentUser.email, password);
  await reauthenticateWithCredential(currentUser, credential).catch(toCallError);
  confirmedAt = Date.now();
}

/** Deletes the account at Firebase and signs out. Returns whether Firebase has deleted it. */
export async function deleteIdentity(): Promise<boolean> {
  const { currentUser } = await openAuth();
  const deleted = await currentUser?.delete().then(
    () => true,
    (error: unknown) => error instanceof FirebaseError && alreadyDeleted.has(error.code),
  );
  await signOutHere();
  return deleted === true;
}

/** A job on our server may have deleted the account first. */
const alreadyDeleted = new Set(["auth/user-not-found", "auth/user-token-expired"]);

/** Throws a `CallError` with a message for the user. */
function toCallError(error: unknown): never {
  if (!(error instanceof FirebaseError)) throw error;
  const known = messages[error.code];
  const message = known?.message ?? "Something went wrong. Please try again in a minute.";
  throw new CallError(known?.status ?? 400, { code: known?.code ?? error.code, message });
}

type Message = { message: string; code?: string; status?: number };

const mismatch = { message: "That email and password don't match. Check both and try again." };
const weak = { message: "Password must be strong." };
const taken = {
  message: "An account with this email already exists.",
  code: "USER_ALREADY_EXISTS",
};
const unreachable = {
  message: "We can't reach our sign-in service. Check your connection and try again.",
  code: "UNREACHABLE",
  status: 0,
};

/** Messages by error code (firebase.google.com/docs/reference/js/auth, AuthErrorCodes). */
const messages: Record<string, Message> = {
  "auth/account-exists-with-different-credential": {
    message:
      "You already have an account with this email and a password. Log in with your password.",
  },
  "auth/email-already-in-use": taken,
  "auth/internal-error": unreachable,
  "auth/invalid-credential": mismatch,
  "auth/invalid-email": { message: "Enter an email address such as you@example.com." },
  "auth/invalid-login-credentials": mismatch,
  "auth/network-request-failed": unreachable,
  "auth/password-does-not-meet-requirements": weak,
  "auth/popup-blocked": {
    message: "Your browser blocked the Google window. Allow it for this site, then try again.",
  },
  "auth/too-many-requests": {
    message: "Too many attempts. Please wait a few minutes, or use Forget Password?",
  },
  "auth/user-disabled": {
    message:
      "This account is suspended. If you think that is a mistake, write to us: see Contact at the bottom of the page.",
  },
  "auth/user-not-found": mismatch,
  "auth/user-token-expired": { message: "Your login has expired. Log in again.", status: 401 },
  "auth/weak-password": weak,
  "auth/wrong-password": mismatch,
};
