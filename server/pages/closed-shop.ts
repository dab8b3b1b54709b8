import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Call } from "#contract/call.ts";
import { readProduct } from "#contract/laptop-page.ts";
import type { Shop } from "#contract/shop.ts";
import { builtInColors } from "#contract/shop-settings.ts";
import { email } from "#contract/text.ts";
import { isPreview } from "../current-shop.ts";
import type { Tx } from "../db/database.ts";
import type { Member } from "../db/member.ts";
import type { Deps } from "../deps.ts";
import { escapeHtml } from "../email/email-layout.ts";
import { Overloaded } from "../errors.ts";
import { findMemberByEmail } from "../features/members/members.ts";
import { listAdmins } from "../features/staff/change-staff-role.ts";
import { isInvited } from "../features/staff/staff-invitations.ts";
import { identityHeaders } from "../http/authorization.ts";
import { uncacheable } from "../http/security-headers.ts";
import { findPreview } from "./preview-drafts.ts";

/** Routes, besides pages and calls of the contract, that a closed shop doesn't serve. */
const shutFiles = /^\/(sitemap|api\/auth\/sign-up)/;
const openPages =
  /^\/(api|dashboard|login|auth|forgot-password|reset-password|confirm-email|unsubscribe|account-deleted)(?![\w-])/i;
/** The start of the sign-up URL for people with a staff invitation. */
const staffSignUp = `/signup?from=${encodeURIComponent("/dashboard/staff?token=")}`;

const retrySeconds = 3_600;

/**
 * Responds with 503 to requests for a closed shop's public part, unless the sender is admitted.
 * Cached responses need no check: they become stale when the shop closes, and responses to admitted
 * people are not cached.
 */
export function closeShop(app: FastifyInstance, deps: Deps): void {
  let hasAdmin = false;
  // Runs after the body has been read, so that the handler runs in the context of `asIfOpen`.
  app.addHook("preHandler", (request, reply, done) => {
    const { closed, name } = deps.shop.get();
    if (!closed || isPreview() || !isShut(request)) return done();
    if (request.url.startsWith(staffSignUp)) return deps.shop.uncached(done);
    admit(request).then((isAdmitted) => {
      if (isAdmitted) return deps.shop.asIfOpen(done);
      if (isPage(request)) return sendClosedPage(request, reply, deps);
      done(new Overloaded(`${name} opens soon. Please come back later.`, retrySeconds, "CLOSED"));
    }, done);
  });

  /** Until there is an admin, admits everybody, because the first admin has to sign up. */
  async function admit(request: FastifyRequest): Promise<boolean> {
    hasAdmin ||= (await listAdmins(deps.db)).length > 0;
    return !hasAdmin || (await mayEnter(request, deps));
  }
}

function isPage({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url === "/*";
}

function isShut(request: FastifyRequest): boolean {
  const { url, routeOptions } = request;
  const { call } = routeOptions.config;
  if (call) return isShutCall(call);
  return isPage(request) ? !openPages.test(url) : shutFiles.test(url);
}

function isShutCall({ access, confirmed, openWhileClosed }: Call): boolean {
  if (openWhileClosed) return false;
  return access === "public" || access === "identity" || confirmed === true;
}

/**
 * Admins and previews see everything. Members and invited staff can sign up and in. Members also
 * see laptops that they sell, booked, asked about or made offers on.
 */
async function mayEnter(request: FastifyRequest, deps: Deps): Promise<boolean> {
  const { db, clock } = deps;
  // For GET requests, `previewDrafts` has already looked for a preview.
  if (request.method !== "GET" && (await findPreview(db, request))) return true;
  const { call } = request.routeOptions.config;
  const isSignUp = call === undefined && request.method === "POST";
  const address = isSignUp ? signUpAddress(request) : await findAddress(request, deps.identity);
  if (address === undefined) return false;
  const member = await findMemberByEmail(db, address);
  if (isSignUp || call?.access === "identity")
    return member !== undefined || (await isInvited(db, address, clock.now()));
  if (call === readProduct && member && (await hasDeal(db, member, request))) return true;
  return member?.isAdmin ?? false;
}

function signUpAddress({ body }: FastifyRequest): string | undefined {
  return email.safeParse(Object(body).email).data;
}

/** Uses the session cookie for public calls and pages, which get no access token. */
async function findAddress(request: FastifyRequest, identity: Deps["identity"]) {
  if (request.caller) return request.caller.email;
  if (request.headers.cookie === undefined) return undefined;
  const account = await identity.authenticate(identityHeaders(request)).catch(() => undefined);
  return account?.email;
}

async function hasDeal(tx: Tx, member: Member, { params }: FastifyRequest): Promise<boolean> {
  const { id } = params as { id: string };
  const { rows } = await sql`
    select from products where id = ${id} and seller_id = ${member.id}
    union all select from bookings where product_id = ${id} and buyer_id = ${member.id}
    union all select from offers where product_id = ${id} and buyer_id = ${member.id}
    union all select from conversations where product_id = ${id} and buyer_id = ${member.id}
    limit 1`.execute(tx);
  return rows.length > 0;
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

/** One style for both themes: white is readable on the main color (contract/shop-settings.ts). */
function styleOf({ main, accent }: typeof builtInColors): string {
  return `body{margin:0;background:${main};color:#fff;font:1.125rem/1.6 system-ui,sans-serif}
main{box-sizing:border-box;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:2rem 1.25rem;text-align:center;overflow-wrap:anywhere}
img{max-width:min(100%,15rem);max-height:3rem;padding:.75rem 1.25rem;border-radius:1rem;background:#fff}
h1{margin:1.5rem 0 0;font-size:clamp(2rem,8vw,3.5rem);line-height:1.1;text-wrap:balance}
p{margin:1.25rem 0 0;max-width:36rem;text-wrap:balance}
a{display:inline-block;padding:.75rem 1.75rem;border-radius:.75rem;background:${accent};color:#2b1a06;font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid #fff;outline-offset:3px}`;
}
