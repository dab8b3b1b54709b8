import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { SandboxConfig } from "../config.ts";
import type { ExpiringStore } from "../expiring-store.ts";
import { html, page, sendPage } from "../html.ts";
import {
  type AuthorizationRequest,
  authorizationPath,
  issuerOf,
  parseAuthorizationRequest,
  withQuery,
} from "./authorization-request.ts";

/** What a code stands for. */
export type Grant = { account: Account; request: AuthorizationRequest };

export type CodeIssuer = { client: SandboxConfig["google"]; codes: ExpiringStore<Grant> };

/** Redirects with a code or an error. */
export function accountChooserRoutes(app: FastifyInstance, { client, codes }: CodeIssuer) {
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

/** `verified` becomes the `email_verified` claim. */
type Account = { name: string; email: string; verified: boolean };

/** Two people without an account at the shop, and the demo seller. */
const accounts: Account[] = [
  { name: "Alex Moreau", email: "alex.moreau@gmail.test", verified: true },
  { name: "Sofia Brandt", email: "sofia.brandt@gmail.test", verified: true },
  { name: "Marta Lindqvist", email: "seller@demo.test", verified: true },
];

/** Cancel, a listed account, or another account. */
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

/** `sub` has 21 digits and is derived from the email address. */
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

/** For an unknown client or redirect URI. */
function blockedPage(reason: string): string {
  const body = html`<main class="google">
    <p class="brand">Sign in with Google <span>(sandbox)</span></p>
    <h1>Access blocked: this app’s request is invalid</h1>
    <p>${reason}</p>
  </main>`;
  return page({ title: "Access blocked", body });
}
