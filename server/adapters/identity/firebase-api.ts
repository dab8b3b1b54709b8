import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import { email as emailSchema } from "#contract/text.ts";
import type { Clock } from "../../clock.ts";
import { TooManyRequests } from "../../errors.ts";
import type { FirebaseProject } from "../../settings/firebase.ts";
import { providerTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { limitCalls, limitedFetch } from "../limit-calls.ts";
import { signInUnavailable } from "./firebase-id-token.ts";

export type FirebaseApi = ReturnType<typeof firebaseApi>;

/** These replace Google's URLs in tests. */
export type FirebaseAddresses = { identityToolkit?: string; accessTokens?: string };

type Settings = {
  clock: Clock;
  publicUrl: string;
  addresses?: FirebaseAddresses | undefined;
  timeoutMs?: number | undefined;
};

const maxRequests = 50;
const fetchAnswer = limitedFetch(1_000_000);
const googleIdentityToolkit = "https://identitytoolkit.googleapis.com/v1";
const googleAccessTokens = "https://oauth2.googleapis.com/token";

const account = z.object({
  localId: z.string(),
  emailVerified: z.boolean().default(false),
  disabled: z.boolean().default(false),
  /** Seconds since 1970. Sign-ins before this time are revoked. */
  validSince: z.coerce.number().default(0),
});

/**
 * Calls Identity Toolkit (cloud.google.com/identity-platform/docs/reference/rest). `admin` needs a
 * service account or the emulator. Methods throw `UNAVAILABLE` if Firebase fails.
 */
export function firebaseApi(
  project: FirebaseProject,
  { clock, publicUrl, addresses, timeoutMs = providerTimeouts.signIn }: Settings,
) {
  const request = requests(timeoutMs);
  const { projectId, apiKey, emulatorUrl, serviceAccount } = project;
  const identityToolkit =
    addresses?.identityToolkit ??
    (emulatorUrl === undefined
      ? googleIdentityToolkit
      : `${emulatorUrl}/identitytoolkit.googleapis.com/v1`);
  const bearer =
    emulatorUrl !== undefined
      ? // The emulator's token for an administrator.
        async () => "owner"
      : serviceAccount &&
        accessTokens(serviceAccount, {
          clock,
          request,
          url: addresses?.accessTokens ?? googleAccessTokens,
        });
  const key = new URLSearchParams({ key: apiKey });
  // The referrer lets operators restrict the API key to the shop's URL.
  const headers = { referer: `${publicUrl}/` };
  return {
    /** Throws unless Firebase accepts the API key. */
    async checkKey(): Promise<void> {
      const { refusal } = await request(`${identityToolkit}/projects?${key}`, { headers });
      if (refusal !== undefined) throw new Error(`Firebase: ${refusal}`);
    },
    /** Throws `TOO_MANY_REQUESTS` if Firebase limits attempts. */
    async isPassword({ email, password }: { email: string; password: string }): Promise<boolean> {
      const url = `${identityToolkit}/accounts:signInWithPassword?${key}`;
      const { answer, refusal } = await post(url, { email, password }, headers);
      if (refusal === undefined) return read(signedIn, answer).email === email;
      if (refusal.startsWith("TOO_MANY_ATTEMPTS")) throw new TooManyRequests(5 * 60);
      if (wrongPassword.has(refusal)) return false;
      throw signInUnavailable(new Error(`Firebase: ${refusal}`));
    },
    admin: bearer && {
      /** Returns undefined if there is no such account. */
      async findAccount(by: { localId: string[] } | { email: string[] }) {
        const { answer } = await asAdmin("accounts:lookup", by);
        return read(foundAccounts, answer).users[0];
      },
      /** Marks the new address as verified. Returns undefined if the address is already taken. */
      async createAccount(person: { email: string; password: string; displayName: string }) {
        const body = { ...person, emailVerified: true };
        const { answer, refusal } = await asAdmin("accounts", body, ["EMAIL_EXISTS"]);
        return refusal === undefined ? read(account, answer) : undefined;
      },
      async deleteAccount(localId: string): Promise<void> {
        const { answer, refusal } = await asAdmin("accounts:delete", { localId }, [
          "USER_NOT_FOUND",
        ]);
        if (refusal === undefined) read(accountDeleted, answer);
      },
    },
  };

  async function post(url: string, body: object, more: Record<string, string>) {
    const headers = { ...more, "content-type": "application/json" };
    return await request(url, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async function asAdmin(path: string, body: object, expected: string[] = []) {
    const authorization = `Bearer ${await bearer?.()}`;
    const url = `${identityToolkit}/projects/${encodeURIComponent(projectId)}/${path}`;
    const { answer, refusal } = await post(url, body, { authorization });
    if (refusal === undefined || expected.includes(refusal)) return { answer, refusal };
    throw signInUnavailable(new Error(`Firebase: ${refusal}`));
  }
}

/** Requires `kind`, so that a proxy's response can't be mistaken for "no such account". */
const foundAccounts = z.object({
  kind: z.literal("identitytoolkit#GetAccountInfoResponse"),
  users: z.array(account).default([]),
});
const accountDeleted = z.object({ kind: z.literal("identitytoolkit#DeleteAccountResponse") });
const signedIn = z.object({ localId: z.string(), email: emailSchema });

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { data, error } = schema.safeParse(answer);
  if (error) throw signInUnavailable(error);
  return data;
}

const wrongPassword = new Set([
  "INVALID_LOGIN_CREDENTIALS",
  "INVALID_PASSWORD",
  "EMAIL_NOT_FOUND",
  "USER_DISABLED",
  "MISSING_PASSWORD",
]);

const refused = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((one) => one.message)]),
});

type Answer = { answer: unknown; refusal?: string };

/** `refusal`: Google's code in a 4xx response, such as `EMAIL_EXISTS`. */
type Request = (url: string, init: RequestInit) => Promise<Answer>;

function requests(timeoutMs: number): Request {
  const limit = limitCalls(maxRequests, { service: "firebase" });
  return async (url, init) => {
    try {
      return await limit(async () => {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await fetchAnswer(url, { redirect: "error", signal, ...init });
        const answer: unknown = await response.json();
        if (response.ok) return { answer };
        if (response.status >= 500) throw new Error(`Firebase answered ${response.status}.`);
        return { answer, refusal: refused.parse(answer).error };
      });
    } catch (cause) {
      throw signInUnavailable(cause);
    }
  };
}

type ServiceAccount = NonNullable<FirebaseProject["serviceAccount"]>;

const issued = z.object({ access_token: z.string(), expires_in: z.number() });

type Token = { token: string; until: number };

/** Gets tokens for a service account (RFC 7523). Uses each until a minute before it expires. */
function accessTokens(
  { clientEmail, privateKey }: ServiceAccount,
  { clock, request, url }: { clock: Clock; request: Request; url: string },
) {
  const key = createPrivateKey(privateKey);
  let current: Token | undefined;
  let fetching: Promise<Token> | undefined;
  return async () => {
    const now = clock.now();
    if (current && now.getTime() < current.until) return current.token;
    fetching ??= fetchToken(now).finally(() => {
      fetching = undefined;
    });
    current = await fetching;
    return current.token;
  };

  async function fetchToken(now: Date): Promise<Token> {
    const assertion = await new SignJWT({
      scope: "https://www.googleapis.com/auth/identitytoolkit",
    })
      .setProtectedHeader({ alg: "RS256" })
      .setIssuer(clientEmail)
      .setAudience(url)
      .setIssuedAt(now)
      .setExpirationTime(new Date(now.getTime() + 3_600_000))
      .sign(key);
    const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const body = new URLSearchParams({ grant_type, assertion });
    const { answer, refusal } = await request(url, { method: "POST", body });
    if (refusal !== undefined) throw signInUnavailable(new Error(`Google: ${refusal}`));
    const { access_token: token, expires_in } = read(issued, answer);
    return { token, until: now.getTime() + (expires_in - 60) * 1_000 };
  }
}
