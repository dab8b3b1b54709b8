import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { SandboxConfig } from "../config.ts";
import type { ExpiringStore } from "../expiring-store.ts";
import { html, page, sendPage } from "../html.ts";

export const authorizationPath = "/o/oauth2/v2/auth";

/** Reads the issuer from the request, because the port is known only once the server listens. */
export function issuerOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}/google`;
}

/** The account and the authorization request for which a code was issued. */
export type Grant = { account: Account; request: AuthorizationRequest };

export type CodeIssuer = { client: SandboxConfig["google"]; codes: ExpiringStore<Grant> };

/** Shows the account chooser, then redirects with a code or an error. */
export function authorizationRoutes(app: FastifyInstance, { client, codes }: CodeIssuer) {
  app.get(authorizationPath, async (request, reply) => {
    const parsed = parseAuthorizationRequest(request.query, client);
    if ("blocked" in parsed) return sendPage(reply.code(400), blockedPage(parsed.blocked));
    if ("errorRedirect" in parsed) return reply.redirect(parsed.errorRedirect);
    const { origin } = new URL(parsed.request.redirect_uri);
    return sendPage(reply, chooserPage(request.url), origin);
  });

  app.post(authorizationPath, async (request, reply) => {
    const parsed = parseAuthorizationRequest(request.query, client);
    const form = chooserForm.safeParse(request.body);
    // A GET of the same URL shows the chooser or the error.
    if (!("request" in parsed) || !form.success) return reply.redirect(request.url, 303);
    const account = selectedAccount(form.data);
    const result = account
      ? { code: codes.add({ account, request: parsed.request }), scope: parsed.request.scope }
      : { error: "access_denied" };
    return reply.redirect(redirectTarget(request, parsed.request, result), 303);
  });
}

function redirectTarget(
  request: FastifyRequest,
  { redirect_uri, state }: AuthorizationRequest,
  result: Record<string, string>,
): string {
  return withQuery(redirect_uri, { ...result, state, iss: issuerOf(request) });
}

/** OpenID Connect Core 3.1.2.1, with PKCE (RFC 7636). */
const authorizationRequest = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.literal("code"),
  scope: z.string().regex(/(^| )openid( |$)/, "scope has to include openid"),
  state: z.string().min(1),
  nonce: z.string().min(1).optional(),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal("S256"),
});

type AuthorizationRequest = z.output<typeof authorizationRequest>;

const redirectParams = z.object({
  client_id: z.string().default(""),
  redirect_uri: z.string().default(""),
  state: z.string().optional(),
});

/**
 * `blocked`: an unknown client or redirect URI. `errorRedirect`: the redirect URI with the error.
 */
function parseAuthorizationRequest(
  query: unknown,
  client: SandboxConfig["google"],
): { request: AuthorizationRequest } | { blocked: string } | { errorRedirect: string } {
  const { client_id, redirect_uri, state } = redirectParams.parse(query);
  if (client_id !== client.clientId) return { blocked: "Error 401: invalid_client" };
  if (!client.redirectUris.includes(redirect_uri)) {
    return { blocked: "Error 400: redirect_uri_mismatch" };
  }
  const parsed = authorizationRequest.safeParse(query);
  if (parsed.success) return { request: parsed.data };
  const error_description = z.prettifyError(parsed.error);
  const errorRedirect = withQuery(redirect_uri, {
    error: "invalid_request",
    error_description,
    state,
  });
  return { errorRedirect };
}

function withQuery(uri: string, params: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

type Account = { name: string; email: string; verified: boolean };

/** Two people without an account at the shop, and the demo seller. */
const accounts: Account[] = [
  { name: "Alex Moreau", email: "alex.moreau@gmail.test", verified: true },
  { name: "Sofia Brandt", email: "sofia.brandt@gmail.test", verified: true },
  { name: "Marta Lindqvist", email: "seller@demo.test", verified: true },
];

const chooserForm = z.union([
  z.object({ cancel: z.string() }),
  z.object({ person: z.enum(accounts.map(({ email }) => email)) }),
  z.object({
    name: z.string().trim().min(1).max(80),
    email: z.string().trim().toLowerCase().pipe(z.email()),
    verified: z.literal("on").optional(),
  }),
]);

function selectedAccount(form: z.output<typeof chooserForm>): Account | undefined {
  if ("person" in form) return accounts.find(({ email }) => email === form.person);
  if ("cancel" in form) return undefined;
  return { name: form.name, email: form.email, verified: form.verified === "on" };
}

/** Returns the ID token's claims. `sub` has 21 digits and is derived from the email address. */
export function claimsOf({ name, email, verified }: Account) {
  const hash = BigInt(`0x${createHash("sha256").update(email).digest("hex")}`);
  const sub = `1${String(hash % 10n ** 20n).padStart(20, "0")}`;
  return { sub, name, email, email_verified: verified };
}

function chooserPage(action: string): string {
  const body = html`<main class="google">
    <p class="brand">Sign in with Google <span>(sandbox)</span></p>
    <h1>Choose an account</h1>
    <p>to continue to <strong>Secondlap</strong></p>
    <form method="post" action="${action}">
      <ul>${accounts.map((account) => html`<li>${accountButton(account)}</li>`)}</ul>
    </form>
    <details>
      <summary>Use another account</summary>
      <form method="post" action="${action}" class="fields">
        <label>Name <input name="name" required maxlength="80" autocomplete="off"></label>
        <label>Email <input name="email" type="email" required autocomplete="off"></label>
        <label class="check">
          <input name="verified" type="checkbox" checked>
          Google has verified this address
        </label>
        <button class="main">Continue</button>
      </form>
    </details>
    <form method="post" action="${action}"><button name="cancel" value="1">Cancel</button></form>
    <p class="note">This page runs on this machine and asks for no password. If you set a Google client
      ID, Google's own page opens instead.</p>
  </main>`;
  return page({ title: "Sign in with Google (sandbox)", body });
}

function accountButton({ name, email }: Account) {
  return html`<button name="person" value="${email}">
    <span class="initial" aria-hidden="true">${name.slice(0, 1)}</span>
    <span><strong>${name}</strong><br>${email}</span>
  </button>`;
}

function blockedPage(reason: string): string {
  const body = html`<main class="google">
    <p class="brand">Sign in with Google <span>(sandbox)</span></p>
    <h1>Access blocked: this app’s request is invalid</h1>
    <p>${reason}</p>
  </main>`;
  return page({ title: "Access blocked", body });
}
