import { CallError, send } from "#contract/client.ts";
import { issueToken, joinAsMember, upsertMember } from "#contract/members.ts";
import { type Identity, readIdentity } from "./identity-client.ts";
import { clearAccountType, rememberedAccountType } from "./remembered-account-type.ts";

/** Where the access token is stored (specification 4); another tab notices when it comes or goes. */
export const accessTokenKey = "accessToken";

let renewing: Promise<string | undefined> | undefined;

/** A token good for some time still, renewed if need be; none for a visitor. */
export async function getAccessToken(): Promise<string | undefined> {
  const stored = localStorage.getItem(accessTokenKey);
  if (stored !== null && expiry(stored) > Date.now() + margin) return stored;
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  return await renewing;
}

/** Milliseconds a token must still be good for, so that it does not run out on its way. */
const margin = 30_000;

export function clearAccessToken(): void {
  localStorage.removeItem(accessTokenKey);
}

/** Fetches and stores a token for a proven identity, making it a member if its sign-up was cut off. */
export async function fetchAccessToken(identity: Identity): Promise<string> {
  const { body } = await issue(identity).catch(async (error: unknown) => {
    if (!(error instanceof CallError && error.code === "NOT_A_MEMBER")) throw error;
    await registerMember(identity);
    return await issue(identity);
  });
  localStorage.setItem(accessTokenKey, body.accessToken);
  return body.accessToken;
}

/**
 * Makes a proven identity a member: with the account type chosen when signing up; as a buyer where none
 * was chosen here, as after a provider's sign-in.
 */
export async function registerMember(who: Pick<Identity, "name" | "email">): Promise<void> {
  const accountType = rememberedAccountType(who.email);
  if (accountType === undefined) return await registerProviderMember(who);
  const { name, email } = who;
  await send(connection, joinAsMember, { body: { name, email, accountType } });
  clearAccountType();
}

/** Makes who came in by a provider a member as a buyer; whoever is one keeps their role (specification 7). */
export async function registerProviderMember(who: Pick<Identity, "name" | "email">): Promise<void> {
  const { name, email } = who;
  await send(connection, upsertMember, { body: { name, email, accountType: "buyer" } });
}

/** These calls are proven by the identity service's cookie, before there is a token. */
const connection = { host: "/api", fetch: (...from: Parameters<typeof fetch>) => fetch(...from) };

function issue({ email }: Identity) {
  return send(connection, issueToken, { query: { email } });
}

async function renew(): Promise<string | undefined> {
  const identity = await readIdentity();
  if (identity) return await fetchAccessToken(identity);
  clearAccessToken();
  return undefined;
}

/** When a token runs out, in milliseconds since the epoch; long ago for what is no token. */
function expiry(token: string): number {
  try {
    const [, payload = ""] = token.split(".");
    const { exp } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return Number(exp) * 1000;
  } catch {
    return 0;
  }
}
