import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { text } from "./fields.ts";
import { isLoopback } from "./production-checks.ts";

const aServiceAccount =
  "must be the JSON of a service account's key, as the Firebase console downloads it";
const anEmulator = "must be a host and port of this machine, such as 127.0.0.1:9099";

/** Settings for Firebase Auth (decisions/identity). */
export const firebaseFields = {
  FIREBASE_PROJECT_ID: text.optional(),
  FIREBASE_API_KEY: text.optional(),
  FIREBASE_AUTH_DOMAIN: z
    .hostname("must be a host name, such as your-project.firebaseapp.com")
    .optional(),
  FIREBASE_SERVICE_ACCOUNT: z
    .string()
    .transform((json, { addIssue }) => {
      const key = readServiceAccount(json);
      if (!key) addIssue(aServiceAccount);
      return key ?? z.NEVER;
    })
    .optional(),
  FIREBASE_AUTH_EMULATOR_HOST: z
    .string()
    .refine((host) => /^[^/?#@]+:\d+$/.test(host) && isLocal(host), anEmulator)
    .optional(),
};

type FirebaseFields = z.output<z.ZodObject<typeof firebaseFields>>;

type OtherFields = {
  DEMO?: boolean | undefined;
  GOOGLE_CLIENT_ID?: string | undefined;
  OIDC_ISSUER?: string | undefined;
};

function isLocal(host: string): boolean {
  return URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname);
}

const serviceAccountKey = z.object({
  project_id: z.string(),
  client_email: z.string().min(1),
  private_key: z.string().refine(isPrivateKey),
});

function readServiceAccount(json: string) {
  try {
    return serviceAccountKey.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

export function firebaseProblems(set: FirebaseFields & OtherFields): string[] {
  const names = Object.keys(firebaseFields) as (keyof FirebaseFields)[];
  if (names.every((name) => set[name] === undefined)) return [];
  const { FIREBASE_PROJECT_ID: projectId, FIREBASE_SERVICE_ACCOUNT: account } = set;
  const required = ["FIREBASE_PROJECT_ID", "FIREBASE_API_KEY", "FIREBASE_AUTH_DOMAIN"] as const;
  const problems = required
    .filter((name) => set[name] === undefined)
    .map(
      (name) =>
        `${name} must be set to sign members in with Firebase. For the embedded sign-in, unset FIREBASE_*.`,
    );
  for (const name of ["GOOGLE_CLIENT_ID", "OIDC_ISSUER"] as const) {
    if (set[name] !== undefined)
      problems.push(
        `${name} can't be used with FIREBASE_PROJECT_ID: with Firebase, members continue with Google through Firebase. Unset the settings of the other.`,
      );
  }
  if (account && projectId !== undefined && account.project_id !== projectId)
    problems.push(
      `FIREBASE_SERVICE_ACCOUNT is of the project ${account.project_id}, not of ${projectId}.`,
    );
  if (set.DEMO && set.FIREBASE_AUTH_EMULATOR_HOST === undefined)
    problems.push(
      "DEMO must be 0 with Firebase: demo accounts have a public password. Only the emulator may have them.",
    );
  return problems;
}

export type FirebaseProject = NonNullable<ReturnType<typeof firebaseProject>>;

/** Undefined if members sign in with the embedded service. */
export function firebaseProject(set: FirebaseFields) {
  const { FIREBASE_PROJECT_ID: projectId, FIREBASE_API_KEY: apiKey } = set;
  const { FIREBASE_AUTH_DOMAIN: authDomain, FIREBASE_SERVICE_ACCOUNT: account } = set;
  if (!projectId || !apiKey || !authDomain) return undefined;
  const host = set.FIREBASE_AUTH_EMULATOR_HOST;
  return {
    projectId,
    apiKey,
    authDomain,
    /** Without a service account, a session revoked at Firebase can last another 75 minutes. */
    serviceAccount: account && {
      clientEmail: account.client_email,
      privateKey: account.private_key,
    },
    /** The URL of the Auth emulator. Anyone can forge the emulator's tokens. */
    emulatorUrl: host === undefined ? undefined : `http://${host}`,
  };
}
