import type { FastifyInstance, FastifyRequest } from "fastify";
import { sendPage } from "../html.ts";
import { blockedPage, chooserPage } from "./account-chooser-pages.ts";
import { chooserForm, selectedAccount } from "./accounts.ts";
import {
  type AuthorizationRequest,
  parseAuthorizationRequest,
  withQuery,
} from "./authorization-request.ts";
import { authorizationPath, type GoogleProvider, issuerOf } from "./discovery.ts";

/** Redirects with a code or an error. */
export function accountChooserRoutes(app: FastifyInstance, { client, codes }: GoogleProvider) {
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
