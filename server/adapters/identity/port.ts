import type { Expression, Selectable, SqlBool } from "kysely";
import type { PublicConfig } from "#contract/config.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { Tx } from "../../db/database.ts";
import type { IdentitySession } from "../../db/schema.ts";

/** The account's owner might not be a member yet. */
export type AuthenticatedAccount = {
  uid: string;
  email: string;
  name: string;
  emailVerified: boolean;
};

export type AuthenticatedSession = AuthenticatedAccount & { sessionId: string };

export type OpenIdProvider = SignInProvider & {
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** `label`: the provider's name on the button "Continue with …". */
export type SignInProvider = { id: "google" | "oidc"; label: string };

/** `address`: the user's IP address. */
export type PasswordCheck = { email: string; password: string; address: string };

export type NewAccount = { name: string; email: string; password: string };

/** Settings that browsers need to sign in with a hosted service. */
export type HostedSignIn = NonNullable<PublicConfig["firebase"]>;

/** Methods with a `tx` parameter use the caller's transaction. */
export type Identity = {
  /** Null if the service is embedded. */
  firebase: HostedSignIn | null;
  providers: SignInProvider[];
  /** Checks the session cookie or Firebase ID token. Throws if a Firebase user may not sign in. */
  authenticate(headers: Headers): Promise<AuthenticatedSession | undefined>;
  /** Serves the service's own routes below `/api/auth`. */
  handleRequest(request: Request): Promise<Response>;
  /** Throws `UNAVAILABLE` or `TOO_MANY_REQUESTS` if the password can't be checked now. */
  isPassword(check: PasswordCheck): Promise<boolean>;
  /**
   * Creates an account, or returns an existing one with a verified address. Replaces one with an
   * unverified address. Absent if only browsers can create accounts.
   */
  createAccount?: (person: NewAccount) => Promise<AuthenticatedAccount>;
  deleteHostedAccount?: (accountId: string) => Promise<void>;
  accounts: Accounts;
  sessions: Sessions;
  secondFactors: SecondFactors;
  resetLinks: ResetLinks;
};

export type Accounts = {
  hasPassword(tx: Tx, email: string): Promise<boolean>;
  /** Changes with the password; empty if no hash is stored. Must not leave the server. */
  passwordVersion(tx: Tx, email: string): Promise<string>;
  /** Password, providers, authenticator app and passkeys, each with its set-up time. */
  listSignInMethods(tx: Tx, email: string): Promise<{ method: string; since: Date }[]>;
  updateProfile(tx: Tx, email: string, profile: AccountProfile): Promise<void>;
  /** Deletes the account with its sessions and second factors. */
  remove(tx: Tx, email: string): Promise<void>;
};

export type AccountProfile = { name: string; image: string | null; at: Date };

export type SessionRow = Pick<
  Selectable<IdentitySession>,
  "id" | "userAgent" | "ipAddress" | "createdAt" | "updatedAt"
>;

export type Sessions = {
  /** SQL: whether the session is valid, so that one statement can check session and member. */
  isLive(id: string): Expression<SqlBool>;
  /** Whether the user signed in to this session with a code or passkey, or added a factor in it. */
  hasShownSecondFactor(tx: Tx, id: string): Promise<boolean>;
  /** Lists valid sessions: first the one with id `first`, then the others by last use. */
  list(tx: Tx, email: string, page: { first: string; limit: number }): Promise<SessionRow[]>;
  /** Whether the user started the session, or confirmed their password in it, after `since`. */
  isFresh(tx: Tx, id: string, since: Date): Promise<boolean>;
  /** Records that the user entered the password again. */
  confirm(tx: Tx, id: string, at: Date): Promise<void>;
  /** Ends one valid session, or all but one. Returns the number of ended sessions. */
  end(tx: Tx, email: string, which: { id: string } | { except: string }): Promise<number>;
  endAll(tx: Tx, email: string): Promise<number>;
  deleteExpired(tx: Tx, before: Date): Promise<void>;
  deleteStarted(tx: Tx, before: Date): Promise<void>;
};

export type SecondFactors = {
  /** Throws if the account does not exist. */
  read(tx: Tx, email: string): Promise<{ authenticatorApp: boolean; passkeys: PasskeyRow[] }>;
  /** Locks the account. If it has factors, removes them and backup codes, and ends its sessions. */
  reset(tx: Tx, email: string): Promise<"reset" | "no factor" | "no account">;
  deleteUsedCodes(tx: Tx, before: Date): Promise<void>;
};

export type PasskeyRow = { id: string; name: string | null; createdAt: Date };

export type ResetLinks = {
  /**
   * Locks the account, stores a new link and returns its token. Undefined if there is no account,
   * the last link is less than a minute old, or five links are valid.
   */
  create(tx: Tx, email: string, at: Date): Promise<string | undefined>;
  /** Returns the account's email address, even if the link has expired but is not deleted yet. */
  findAccount(tx: Tx, token: string): Promise<string | undefined>;
  /** Deletes expired links, and other expired verifications such as unfinished sign-ins. */
  deleteExpired(tx: Tx, before: Date): Promise<void>;
};

/** Reactions to identity events (decisions/identity). `on…` hooks join the event's transaction. */
export type IdentityHooks = {
  refuseNewAccount(email: string): Promise<SignInRefusal | undefined>;
  refuseSignIn(email: string): Promise<SignInRefusal | undefined>;
  /** Refuses names with contact details. */
  refuseName(name: string): SignInRefusal | undefined;
  /** Handles `POST /request-password-reset`. Returns the message to show. */
  requestPasswordReset(email: string): Promise<string>;
  /** Resets the failed sign-in counters after a password reset by link. */
  clearFailedSignIns(account: { email: string; address: string | null }): Promise<void>;
  /** Returns false if the member's address was confirmed before, and true otherwise. */
  onPasswordReset(tx: Tx, reset: { email: string; at: Date }): Promise<boolean>;
  /** Called only when a hosted service has verified the address. */
  onAddressVerified(tx: Tx, account: { email: string; at: Date }): Promise<void>;
  onSecondFactorChange(tx: Tx, change: SecondFactorChange): Promise<void>;
};

export type SignInRefusal = { code: ErrorCode; message: string };

export type SecondFactorChange = {
  email: string;
  action:
    | "turn on two-step verification"
    | "turn off two-step verification"
    | "make backup codes"
    | "add passkey"
    | "remove passkey";
};

/** Tables whose rows are enough to sign in. Backups omit these tables. */
export const credentialTables = ["identity.session", "identity.verification"];

/** How many requests from one network may hash passwords at once, and the error for the rest. */
export const signInLimit = {
  max: 10,
  message:
    "Too many people are signing in from your network at the moment. Please try again in a few seconds.",
  retryAfter: 5,
};

/** The header that passes the client's IP address to the service. Clients can't set it. */
export const clientAddressHeader = "x-secondlap-client";
