import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { SandboxConfig } from "../config.ts";

export const authorizationPath = "/o/oauth2/v2/auth";

/** The port is known only once the server listens. */
export function issuerOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}/google`;
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

export type AuthorizationRequest = z.output<typeof authorizationRequest>;

const redirectParams = z.object({
  client_id: z.string().default(""),
  redirect_uri: z.string().default(""),
  state: z.string().optional(),
});

/**
 * `blocked`: an unknown client or redirect URI. `errorRedirect`: the redirect URI with the error.
 */
export function parseAuthorizationRequest(
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

export function withQuery(uri: string, params: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}
