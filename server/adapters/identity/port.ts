import type { Expression, SqlBool } from "kysely";
import type { ErrorCode } from "#contract/errors.ts";
import type { Tx } from "../../db/database.ts";

/** The account of an authenticated request. The account's owner might not be a member yet. */
export type AuthenticatedAccount = {
  uid: string;
  email: string;
  name: string;
  /** Whether the identity service has verified the address. */
  emailVerified: boolean;
};

/** The account together with the session that authenticated it. */
export type AuthenticatedSession = AuthenticatedAccount & { sessionId: string };

/** An OpenID provider that users can sign in with, and our credentials there. */
export type OpenIdProvider = SignInProvider & {
  issuer: string;
  clientId: string;
  clientSecret: string;
};

/** `label`: the provider's name on the button "Continue with …". */
export type SignInProvider = { id: "google" | "oidc"; label: string };

/** A password that a user entered again, and the user's IP address. */
export type PasswordCheck = { email: string; password: string; address: string };

/** Settings that browsers need to sign in with a hosted service. */
export type HostedSignIn = {
  projectId: string;
  apiKey: string;
  authDomain: string;
  emulatorUrl: string | null;
};

/**
 * The identity service. Methods with a `tx` parameter use the caller's transaction. Without
 * `createAccount`, only browsers can create accounts.
 */
export type Identity = {
  /** Null if the service is embedded. */
  firebase: HostedSignIn | null;
  /** The providers that users can sign in with, besides a password. */
  providers: SignInProvider[];
  /**
   * Authenticates a request by its session cookie, or by the hosted service's ID token. May throw
   * an error that explains why the account may not sign in.
   */
  authenticate(headers: Headers): Promise<AuthenticatedSession | undefined>;
  /**
   * SQL condition that a session is valid: neither signed out, revoked nor expired. One statement
   * can then check both a call's session and its member.
   */
  isLive(sessionId: string): Expression<SqlBool>;
  /** Whether a code or passkey was used when signing in to this session. */
  hasShownSecondFactor(sessionId: string): Promise<boolean>;
  /** Handles a request to the service's own routes below `/api/auth`. */
  handleRequest(request: Request): Promise<Response>;
  /** Whether the password is correct. Throws `UNAVAILABLE` while too many checks are queued. */
  isPassword(check: PasswordCheck): Promise<boolean>;
  /**
   * Creates an account without a browser. An existing account with a verified address is returned;
   * an account with an unverified address is replaced.
   */
  createAccount?: (person: {
    name: string;
    email: string;
    password: string;
  }) => Promise<AuthenticatedAccount>;
  /** Deletes an account at the hosted service. A job calls this after the account is removed. */
  deleteHostedAccount?: (accountId: string) => Promise<void>;
  accounts: Accounts;
  sessions: Sessions;
  secondFactors: SecondFactors;
  resetLinks: ResetLinks;
};

/** Accounts, found by their email address. */
export type Accounts = {
  hasPassword(tx: Tx, email: string): Promise<boolean>;
  /** A value that changes with the password; empty without a password. Never leaves the server. */
  passwordVersion(tx: Tx, email: string): Promise<string>;
  /** Password, providers, authenticator app and passkeys, each with its set-up time. */
  listSignInMethods(tx: Tx, email: string): Promise<{ method: string; since: Date }[]>;
  updateProfile(tx: Tx, email: string, profile: AccountProfile): Promise<void>;
  /** Deletes the account with its sessions and factors. */
  remove(tx: Tx, email: string): Promise<void>;
};

export type AccountProfile = { name: string; image: string | null; at: Date };

export type SessionRow = {
  id: string;
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: Date;
  updatedAt: Date;
};

export type Sessions = {
  /** Valid sessions of an account: the one with id `first`, then the most recently used. */
  list(tx: Tx, email: string, page: { first: string; limit: number }): Promise<SessionRow[]>;
  /** Whether the user started the session, or confirmed their password in it, after `since`. */
  isFresh(tx: Tx, id: string, since: Date): Promise<boolean>;
  /** Records that the password was entered again in a session. */
  confirm(tx: Tx, id: string, at: Date): Promise<void>;
  /** Ends one valid session of an account, or all but one. Returns the number of ended sessions. */
  end(tx: Tx, email: string, which: { id: string } | { except: string }): Promise<number>;
  /** Ends every session of an account. Returns the number of ended sessions. */
  endAll(tx: Tx, email: string): Promise<number>;
  deleteExpired(tx: Tx, before: Date): Promise<void>;
  deleteStarted(tx: Tx, before: Date): Promise<void>;
};

export type SecondFactors = {
  /** Reads an account's second factors. Throws if the account does not exist. */
  read(tx: Tx, email: string): Promise<{ authenticatorApp: boolean; passkeys: PasskeyRow[] }>;
  /**
   * Locks the account, removes its authenticator app, backup codes and passkeys, and ends its
   * sessions. Changes nothing if there is no account, or the account has no second factor.
   */
  reset(tx: Tx, email: string): Promise<"reset" | "no factor" | "no account">;
  deleteUsedCodes(tx: Tx, before: Date): Promise<void>;
};

export type PasskeyRow = { id: string; name: string | null; createdAt: Date };

/** Links to set a new password. */
export type ResetLinks = {
  /**
   * Locks the account, stores a new link and returns its token. Undefined if there is no account,
   * the last link is less than a minute old, or five links are valid.
   */
  create(tx: Tx, email: string, at: Date): Promise<string | undefined>;
  /** The email address of a reset link's account. */
  findAccount(tx: Tx, token: string): Promise<string | undefined>;
  /** Deletes expired links, and other expired verifications such as unfinished sign-ins. */
  deleteExpired(tx: Tx, before: Date): Promise<void>;
};

/** The product's reactions to events in the identity service (decisions/identity). */
export type IdentityHooks = {
  /** The reason why this address may not create an account; undefined if it may. */
  refuseNewAccount(email: string): Promise<SignInRefusal | undefined>;
  /** The reason why this address may not sign in; undefined if it may. */
  refuseSignIn(email: string): Promise<SignInRefusal | undefined>;
  /** Handles `POST /request-password-reset`. Returns the message to show. */
  requestPasswordReset(email: string): Promise<string>;
  /** Resets the failed sign-in counters after a password reset by link. */
  clearFailedSignIns(account: { email: string; address: string | null }): Promise<void>;
  /** Runs in the transaction that completes a password reset. */
  onPasswordReset(tx: Tx, reset: { email: string; at: Date }): Promise<void>;
  /** Runs in the transaction that marks an address as verified by a hosted service. */
  onAddressVerified(tx: Tx, account: { email: string; at: Date }): Promise<void>;
  /** Runs in the transaction that completes a change of second factors. */
  onSecondFactorChange(tx: Tx, change: SecondFactorChange): Promise<void>;
};

export type SignInRefusal = { code: ErrorCode; message: string };

export type SecondFactorChange = {
  email: string;
  /** Whether the account's owner or the program made the change. */
  by: "owner" | "program";
  action:
    | "turn on two-step verification"
    | "turn off two-step verification"
    | "make backup codes"
    | "add passkey"
    | "remove passkey"
    | "re-encrypt second factor";
};

/** Tables whose rows are enough to sign in. Backups omit these tables. */
export const credentialTables = ["identity.session", "identity.verification"];

/** The header that passes the client's IP address to the service. Clients can't set it. */
export const clientAddressHeader = "x-secondlap-client";
