import { z } from "zod";
import type { Clock } from "../../clock.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import type { FirebaseProject } from "../../settings/firebase.ts";
import { type FirebaseAddresses, firebaseApi } from "./firebase-api.ts";
import { type FirebaseUser, firebaseIdTokens } from "./firebase-id-token.ts";
import { firebaseAccountCreator, sessionFor, sessionIdOf } from "./firebase-sign-in.ts";
import { firebaseStores } from "./firebase-stores.ts";
import { clientAddressHeader, type Identity, type IdentityHooks } from "./port.ts";
import { resetLinkStore } from "./reset-link-store.ts";
import { secondFactorStore } from "./second-factor-store.ts";

export type FirebaseSettings = {
  project: FirebaseProject;
  publicUrl: string;
  clock: Clock;
  hooks: IdentityHooks;
  warn: (fields: object, message: string) => void;
  timeoutMs?: number;
  /** These replace Google's URLs in tests. */
  addresses?: (FirebaseAddresses & { keys?: string }) | undefined;
};

/** Mirrors Firebase's accounts and sessions in our database (decisions/identity). */
export function firebaseIdentity(db: Tx, settings: FirebaseSettings): Identity {
  const { project, clock, hooks, warn, addresses, timeoutMs } = settings;
  const { projectId, apiKey, authDomain, emulatorUrl } = project;
  const verify = firebaseIdTokens({
    projectId,
    clock,
    timeoutMs,
    keysUrl: addresses?.keys,
    emulator: emulatorUrl !== undefined,
  });
  const { isPassword, admin } = firebaseApi(project, settings);
  const stores = firebaseStores({ now: () => clock.now(), canDelete: admin !== undefined });
  return {
    firebase: { projectId, apiKey, authDomain, emulatorUrl: emulatorUrl ?? null },
    providers: [{ id: "google", label: "Google" }],
    async authenticate(headers) {
      const user = await userOf(headers);
      if (!user || !(await isAccepted(user))) return undefined;
      return await sessionFor({ db, clock, hooks }, user, {
        userAgent: headers.get("user-agent"),
        ipAddress: headers.get(clientAddressHeader),
      });
    },
    handleRequest,
    isPassword,
    ...(admin && {
      createAccount: firebaseAccountCreator(db, { admin, clock }),
      deleteHostedAccount: admin.deleteAccount,
    }),
    ...stores,
    secondFactors: secondFactorStore,
    resetLinks: resetLinkStore,
  };

  async function userOf(headers: Headers): Promise<FirebaseUser | undefined> {
    const [, token] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
    if (token === undefined) return undefined;
    try {
      return await verify(token);
    } catch (error) {
      if (error instanceof AppError) throw error;
      warn({ reason: reasonOf(error) }, "An ID token was refused");
      return undefined;
    }
  }

  /** Whether to accept the user. If Firebase no longer does, ends the session. */
  async function isAccepted(user: FirebaseUser): Promise<boolean> {
    if (!admin) return true;
    const account = await admin.findAccount({ localId: [user.uid] });
    const isValid =
      account && !account.disabled && user.signedInAt.getTime() >= account.validSince * 1_000;
    if (isValid) return true;
    await stores.sessions.end(db, user.email, { id: sessionIdOf(user) });
    return false;
  }

  /** Signs out with an ID token. All other routes exist only in the embedded service. */
  async function handleRequest(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/auth/sign-out" && request.method === "POST") {
      const user = await userOf(request.headers);
      if (user) await stores.sessions.end(db, user.email, { id: sessionIdOf(user) });
      return Response.json({ success: true });
    }
    // For reset links mailed before the shop moved to Firebase.
    if (pathname === "/api/auth/reset-password")
      return Response.json({ code: "INVALID_TOKEN", message: linkExpired }, { status: 400 });
    return Response.json({ code: "NOT_FOUND", message: "We couldn't find that." }, { status: 404 });
  }
}

const linkExpired =
  "This link has already been used or is more than an hour old. Request a new one.";

/** Returns only the message, because errors from jose contain claims that identify the user. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return "Its claims have another form.";
  return error instanceof Error ? error.message : String(error);
}
