import { CallError, send, textOf } from "#contract/client.ts";
import {
  type AccountType,
  accountTypes,
  issueToken,
  joinAsMember,
  upsertMember,
} from "#contract/members.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";
import {
  firebaseClient,
  type Identity,
  identityProof,
  readIdentity,
  usesFirebase,
} from "./identity-client.ts";

/** The localStorage key for the access token (specification 4.3). */
export const accessTokenKey = "accessToken";

const ownerKey = "accessTokenOwner";

let renewing: Promise<string | undefined> | undefined;

/** Returns a valid access token, renewed if it expires soon; undefined for visitors. */
export async function getAccessToken(): Promise<string | undefined> {
  const stored = storedToken();
  if (stored !== undefined) return stored;
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return await renewing;
}

/** Minimum remaining validity in milliseconds, so that a token doesn't expire in transit. */
const expiryMarginMs = 30_000;

export function clearAccessToken(): void {
  localStorage.removeItem(accessTokenKey);
  localStorage.removeItem(ownerKey);
}

/** Fetches a new token. With Firebase, an outage leaves the same user's valid token in use. */
export async function renewAccessToken(identity: Identity): Promise<void> {
  await fetchAccessToken(identity).catch(async (error: unknown) => {
    const isKept = usesFirebase() && hasTokenOf(identity);
    if (!(isKept && (await firebaseClient()).isUnavailable(error))) throw error;
  });
}

function hasTokenOf({ uid }: Identity): boolean {
  return storedToken() !== undefined && localStorage.getItem(ownerKey) === uid;
}

function storedToken(): string | undefined {
  const stored = localStorage.getItem(accessTokenKey);
  return stored !== null && expiry(stored) > Date.now() + expiryMarginMs ? stored : undefined;
}

/** If an interrupted sign-up left no membership, creates it first. */
async function fetchAccessToken(identity: Identity): Promise<string> {
  const { body } = await issue(identity).catch(async (error: unknown) => {
    if (!(error instanceof CallError && error.code === "NOT_A_MEMBER")) {
      if (usesFirebase()) await (await firebaseClient()).forgetRefused(error);
      throw error;
    }
    await registerMember(identity);
    return await issue(identity);
  });
  localStorage.setItem(ownerKey, identity.uid);
  localStorage.setItem(accessTokenKey, body.accessToken);
  return body.accessToken;
}

type Person = Pick<Identity, "name" | "email">;

/** Uses the account type chosen at sign-up in this browser; by default, buyer. */
export async function registerMember(member: Person): Promise<void> {
  const accountType = rememberedAccountType(member.email);
  if (accountType === undefined) return await registerProviderMember(member);
  const { name, email } = member;
  await send(connection, joinAsMember, { body: { name, email, accountType } });
  localStorage.removeItem(signingUpKey);
}

/** Creates a buyer, or updates an existing member's name but not their role. */
export async function registerProviderMember({ name, email }: Person): Promise<void> {
  await send(connection, upsertMember, { body: { name, email, accountType: "buyer" } });
}

/** The connection for calls that send the identity service's proof instead of an access token. */
const connection = {
  host: "/api",
  fetch: fetchWithTimeout,
  token: identityProof,
};

function issue({ email }: Identity) {
  return send(connection, issueToken, { query: { email } });
}

async function renew(): Promise<string | undefined> {
  const identity = await readIdentity();
  if (identity) return await fetchAccessToken(identity);
  clearAccessToken();
  return undefined;
}

/** A token's expiry time in milliseconds since the epoch; 0 for an invalid token. */
function expiry(token: string): number {
  try {
    const [, payload = ""] = token.split(".");
    const { exp } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return Number(exp) * 1000;
  } catch {
    return 0;
  }
}

const signingUpKey = "signingUp";

/** Stores the choice, in case the connection fails before the membership is created. */
export function rememberAccountType(email: string, accountType: AccountType): void {
  localStorage.setItem(signingUpKey, JSON.stringify({ email, accountType }));
}

function rememberedAccountType(email: string): AccountType | undefined {
  const stored: unknown = JSON.parse(localStorage.getItem(signingUpKey) ?? "null");
  if (textOf(stored, "email") !== email) return undefined;
  return accountTypes.find((type) => type === textOf(stored, "accountType"));
}
