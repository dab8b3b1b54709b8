import { send } from "#contract/client.ts";
import { type AccountType, issueToken, joinAsMember } from "#contract/members.ts";

/** A browser at a shop: it keeps the identity service's cookie. */
export function openBrowser(url: string) {
  let cookie = "";
  const visit: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookie !== "") headers.set("cookie", cookie);
    headers.set("origin", url);
    const response = await fetch(input, { ...init, headers });
    const set = response.headers.getSetCookie().map((one) => one.split(";")[0] ?? "");
    if (set.length > 0) cookie = set.join("; ");
    return response;
  };
  /** Asks one of the identity service's own routes. */
  const post = (path: string, body: object) =>
    visit(`${url}/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  return { post, connection: { host: `${url}/api`, fetch: visit } };
}

/** Signs somebody up as a browser does, from identity to token; answers a connection to make calls with. */
export async function signUpAt(url: string, email: string, accountType: AccountType) {
  const { post, connection } = openBrowser(url);
  await post("/sign-up/email", { name: email, email, password: "Secret#2026" });
  await send(connection, joinAsMember, { body: { name: email, email, accountType } });
  const { accessToken } = (await send(connection, issueToken, { query: { email } })).body;
  return { ...connection, token: () => accessToken };
}
