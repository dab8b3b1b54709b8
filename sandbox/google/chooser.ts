import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AuthorizationRequest, leadBack, readRequest } from "./authorization.ts";
import { blockedPage, chooserPage } from "./pages.ts";
import { choice, chosen } from "./people.ts";
import { chooserPath, type Google, issuerOf } from "./provider.ts";

const style = readFileSync(join(import.meta.dirname, "chooser.css"));

/** The account chooser, which leads back to the shop with a code, or with the reason why not. */
export function chooserRoutes(app: FastifyInstance, { client, codes }: Google): void {
  app.get("/chooser.css", async (_request, reply) => reply.type("text/css").send(style));

  app.get(chooserPath, async (request, reply) => {
    const read = readRequest(request.query, client);
    if ("blocked" in read) return showPage(reply.code(400), blockedPage(read.blocked));
    if ("refused" in read) return reply.redirect(read.refused);
    return showPage(reply, chooserPage(request.url), new URL(read.request.redirect_uri).origin);
  });

  app.post(chooserPath, async (request, reply) => {
    const read = readRequest(request.query, client);
    const made = choice.safeParse(request.body);
    // What was not understood is shown, or asked, again.
    if (!("request" in read) || !made.success) return reply.redirect(request.url, 303);
    const person = chosen(made.data);
    const says = person
      ? { code: codes.keep({ person, request: read.request }), scope: read.request.scope }
      : { error: "access_denied" };
    return reply.redirect(backToShop(request, read.request, says), 303);
  });
}

function backToShop(
  request: FastifyRequest,
  { redirect_uri, state }: AuthorizationRequest,
  says: Record<string, string>,
): string {
  return leadBack(redirect_uri, { ...says, state, iss: issuerOf(request) });
}

/** Browsers hold a form to its policy also where its answer leads on, so the shop is named in it. */
function showPage(reply: FastifyReply, body: string, shop = "") {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action 'self' ${shop}`,
  ];
  return reply
    .headers({
      "cache-control": "no-store",
      "content-security-policy": policy.join("; ").trimEnd(),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
    .type("text/html; charset=utf-8")
    .send(body);
}
