import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import type { Shop } from "#contract/shop.ts";
import { builtInColors } from "#contract/shop-settings.ts";
import { clientAddressHeader } from "../adapters/identity/port.ts";
import { isPreview, withDraft } from "../current-shop.ts";
import type { Deps } from "../deps.ts";
import { escapeHtml } from "../email/email-layout.ts";
import { Overloaded } from "../errors.ts";
import { findMemberByEmail } from "../features/members/members.ts";
import { listAdmins } from "../features/staff/staff-roles.ts";
import { webHeaders } from "../http/authorization.ts";
import { uncacheable } from "../http/security-headers.ts";
import { findPreview } from "./preview-drafts.ts";

/** Public calls that a closed shop answers: login, members' pages, email links and probes. */
const openCalls: Call[] = [
  table.readConfig,
  table.listCategories,
  table.confirmAddress,
  table.unsubscribe,
  table.readOpenApi,
  table.isHealthy,
  table.isReady,
];

/**
 * The calls that a closed shop rejects: all other public calls, and those that begin a membership,
 * listing or hold.
 */
const shutCalls = new Set<Call>([
  ...Object.values<Call>(table).filter(
    (call) => call.access === "public" && !openCalls.includes(call),
  ),
  table.joinAsMember,
  table.upsertMember,
  table.addProduct,
  table.bookProduct,
  table.makeOffer,
  table.counterOffer,
  table.acceptOffer,
]);

const shutFiles = /^\/(feeds\/|sitemap|api\/auth\/sign-up)/;
const openPages =
  /^\/(api|dashboard|login|auth|forgot-password|reset-password|confirm-email|unsubscribe|account-deleted)(?![\w-])/i;

/** The time after which clients and search engines should try again. */
const retrySeconds = 3_600;

/**
 * Answers 503 for the public part of a closed shop, except to admins and previews. Deals under way
 * can be finished. Cached answers need no check: they become stale when the shop closes, and what
 * admins get is not cached.
 */
export function closeShop(app: FastifyInstance, deps: Deps): void {
  // The body has been read, so the handler runs in the context of `withDraft`.
  app.addHook("preValidation", (request, reply, done) => {
    const settings = deps.shop.get();
    if (!settings.closed || isPreview() || !isShut(request)) return done();
    mayEnter(request, deps).then((may) => {
      if (may) return withDraft({ ...settings, closed: false }, done);
      if (isPage(request)) return sendClosedPage(request, reply, deps);
      done(
        new Overloaded(
          `${settings.name} opens soon. Please come back later.`,
          retrySeconds,
          "CLOSED",
        ),
      );
    }, done);
  });
}

function isPage({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === "/*";
}

function isShut(request: FastifyRequest): boolean {
  const { url, routeOptions } = request;
  const { call } = routeOptions.config;
  if (call) return shutCalls.has(call);
  return isPage(request) ? !openPages.test(url) : shutFiles.test(url);
}

/** Until there is an admin, everyone may enter, because the first admin has to sign up. */
async function mayEnter(request: FastifyRequest, { db, identity }: Deps): Promise<boolean> {
  const admins = await listAdmins(db);
  if (admins.length === 0 || (await findPreview(db, request))) return true;
  const email = request.caller?.email ?? (await findAccount(request, identity))?.email;
  if (email === undefined) return false;
  if (admins.some((admin) => admin.email === email)) return true;
  const isSigningIn = request.routeOptions.config.call === table.upsertMember;
  return isSigningIn && (await findMemberByEmail(db, email)) !== undefined;
}

/** Requests for public calls and pages have a session cookie, but no access token. */
async function findAccount(request: FastifyRequest, identity: Deps["identity"]) {
  if (request.headers.cookie === undefined) return undefined;
  const headers = webHeaders(request);
  headers.set(clientAddressHeader, request.ip);
  return await identity.authenticate(headers).catch(() => undefined);
}

function sendClosedPage(request: FastifyRequest, reply: FastifyReply, { shop }: Deps) {
  request.errorCode = "CLOSED";
  const style = styleOf(shop.get().colors ?? builtInColors);
  const hash = createHash("sha256").update(style).digest("base64");
  return reply
    .code(503)
    .headers({
      "retry-after": String(retrySeconds),
      "cache-control": uncacheable,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; img-src 'self'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    })
    .send(closedPage(shop.page, style));
}

function closedPage({ name, logo, icon, tagline, announcement }: Shop, style: string): string {
  const brand = logo ? `<img src="${escapeHtml(logo)}" alt="">` : "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)} opens soon</title>
<link rel="icon" href="${escapeHtml(icon ?? "/favicon.svg")}">
<style>${style}</style>
<main>
${brand}
<h1>${escapeHtml(name)} opens soon.</h1>
<p>${escapeHtml(announcement ?? tagline)}</p>
<p><a href="/login">Log in</a></p>
</main>
</html>
`;
}

/**
 * The same styles in both themes, because white is readable on the main color
 * (contract/shop-settings.ts).
 */
function styleOf({ main, accent }: typeof builtInColors): string {
  return `body{margin:0;background:${main};color:#fff;font:1.125rem/1.6 system-ui,sans-serif}
main{box-sizing:border-box;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:2rem 1.25rem;text-align:center;overflow-wrap:anywhere}
img{max-width:min(100%,15rem);max-height:3rem;padding:.75rem 1.25rem;border-radius:1rem;background:#fff}
h1{margin:1.5rem 0 0;font-size:clamp(2rem,8vw,3.5rem);line-height:1.1;text-wrap:balance}
p{margin:1.25rem 0 0;max-width:36rem;text-wrap:balance}
a{display:inline-block;padding:.75rem 1.75rem;border-radius:.75rem;background:${accent};color:#2b1a06;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid #fff;outline-offset:3px}`;
}
