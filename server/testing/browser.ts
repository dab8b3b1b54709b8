import { send } from "#contract/client.ts";
import { type AccountType, issueToken, joinAsMember } from "#contract/members.ts";

export type Browser = ReturnType<typeof openBrowser>;

type User = { id: string; name: string; email: string; image: string | null };

/** Opens a browser that stores cookies and doesn't follow redirects. */
export function openBrowser(url: string) {
  const cookies = new Map<string, string>();
  const sent = () => [...cookies.values()].join("; ");
  const visit: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookies.size > 0) headers.set("cookie", sent());
    headers.set("origin", url);
    const response = await fetch(input, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [cookie = ""] = line.split(";");
      const [name = ""] = cookie.split("=");
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, cookie);
    }
    return response;
  };
  const post = (path: string, body: object) =>
    visit(`${url}/api/auth${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const user = async () => {
    const session = await (await visit(`${url}/api/auth/get-session`)).json();
    return (session as { user: User } | null)?.user;
  };
  return { visit, post, user, cookies: sent, connection: { host: `${url}/api`, fetch: visit } };
}

export const signUpName = "Grace Hopper";
export const password = "Secret#2026";

/** Signs up at the identity service only, without creating a member. */
export async function signUpIn(url: string, email: string): Promise<Browser> {
  const browser = openBrowser(url);
  const answer = await browser.post("/sign-up/email", { name: signUpName, email, password });
  if (!answer.ok) throw new Error(await answer.text());
  return browser;
}

/** Signs up and joins. The returned connection sends the member's access token. */
export async function signUpAt(url: string, email: string, accountType: AccountType) {
  const browser = await signUpIn(url, email);
  await send(browser.connection, joinAsMember, { body: { name: signUpName, email, accountType } });
  return await connect(browser, email);
}

/** `code` is set if the login failed, and `twoFactorRedirect` if a code is also required. */
export async function logIn(
  url: string,
  email: string,
  { browser = openBrowser(url), password: given = password } = {},
) {
  const response = await browser.post("/sign-in/email", { email, password: given });
  const body = (await response.json()) as { twoFactorRedirect?: boolean; code?: string };
  return { browser, status: response.status, ...body };
}

/** Returns a connection that sends a new access token of the browser's member. */
export async function connect({ connection }: Browser, email: string) {
  const { accessToken } = (await send(connection, issueToken, { query: { email } })).body;
  return { ...connection, token: () => accessToken };
}
