import { createHash } from "node:crypto";
import { z } from "zod";
import type { SandboxConfig } from "../config.ts";
import type { Person } from "./people.ts";

/** What the shop asks for when it sends somebody here (OpenID Connect Core 3.1.2.1, PKCE by RFC 7636). */
const authorizationRequest = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.literal("code"),
  scope: z.string().regex(/(^| )openid( |$)/, "scope has to name openid"),
  state: z.string().min(1),
  nonce: z.string().min(1).optional(),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal("S256"),
});

export type AuthorizationRequest = z.output<typeof authorizationRequest>;

/** What a code stands for until it is redeemed. */
export type Grant = { person: Person; request: AuthorizationRequest };

const whereTo = z.object({
  client_id: z.string().default(""),
  redirect_uri: z.string().default(""),
  state: z.string().optional(),
});

type Client = SandboxConfig["google"];

/**
 * Reads an authorization request. `blocked`: who asks or where to lead back is not known, so nobody is
 * led anywhere; `refused`: the address to lead back to, with the reason.
 */
export function readRequest(
  query: unknown,
  client: Client,
): { request: AuthorizationRequest } | { blocked: string } | { refused: string } {
  const { client_id, redirect_uri, state } = whereTo.parse(query);
  if (client_id !== client.clientId) return { blocked: "Error 401: invalid_client" };
  if (!client.redirectUris.includes(redirect_uri)) {
    return { blocked: "Error 400: redirect_uri_mismatch" };
  }
  const parsed = authorizationRequest.safeParse(query);
  if (parsed.success) return { request: parsed.data };
  const error_description = z.prettifyError(parsed.error);
  return {
    refused: leadBack(redirect_uri, { error: "invalid_request", error_description, state }),
  };
}

/** The address to lead back to, with what to say there. */
export function leadBack(uri: string, says: Record<string, string | undefined>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(says)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url.href;
}

export const tokenRequest = z.object({
  grant_type: z.string(),
  code: z.string().default(""),
  redirect_uri: z.string().default(""),
  client_id: z.string().default(""),
  client_secret: z.string().default(""),
  code_verifier: z.string().default(""),
});

type TokenRequest = z.output<typeof tokenRequest>;

/** What is wrong with a token request whatever its code, as RFC 6749, 5.2 names it. */
export function faultOf(asked: TokenRequest, client: Client): string | undefined {
  const known = asked.client_id === client.clientId && asked.client_secret === client.clientSecret;
  if (!known) return "invalid_client";
  return asked.grant_type === "authorization_code" ? undefined : "unsupported_grant_type";
}

/** Whether whoever redeems a code is who asked for it. */
export function redeems(asked: TokenRequest, { request }: Grant): boolean {
  const challenge = createHash("sha256").update(asked.code_verifier).digest("base64url");
  return challenge === request.code_challenge && asked.redirect_uri === request.redirect_uri;
}
