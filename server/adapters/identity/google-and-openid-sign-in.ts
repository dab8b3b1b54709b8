import {
  authorizationCodeRequest,
  createAuthorizationURL,
  type OAuth2Tokens,
  type OAuthProvider,
} from "@better-auth/core/oauth2";
import type { BetterAuthPlugin } from "better-auth";
import { addOAuthServerContext, createAuthMiddleware, getOAuthState } from "better-auth/api";
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { limitCalls, limitedFetch } from "../limit-calls.ts";
import type { EmbeddedSettings } from "./create-auth.ts";
import { type OpenIdProfile, readProfile, toUser } from "./openid-profile.ts";
import type { OpenIdProvider } from "./port.ts";

type Settings = Pick<EmbeddedSettings, "providers" | "clock" | "hooks" | "warn" | "timeoutMs">;

const signInPath = "/sign-in/social";

/**
 * Signs users in with providers. PKCE protects the authorization code; a nonce and the provider's
 * public keys protect the ID token (decisions/identity).
 */
export function openIdSignIn(settings: Settings) {
  const socialProviders = settings.providers.map((provider) => oauthProvider(provider, settings));
  return {
    id: "openid-sign-in",
    init: () => ({ context: { socialProviders } }),
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === signInPath,
          handler: createAuthMiddleware(async ({ body }) => {
            await addOAuthServerContext({ provider: body?.provider });
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/**
 * Replaces better-auth's `genericOAuth`, which doesn't compare the user info's `sub` with the ID
 * token's. It also reads discovery documents during setup, so a slow provider would block every
 * sign-in.
 */
function oauthProvider(
  provider: OpenIdProvider,
  { clock, hooks, warn, timeoutMs }: Settings,
): OAuthProvider<OpenIdProfile> {
  const { id, label, issuer, clientId, clientSecret } = provider;
  const options = { clientId, clientSecret };
  const metadata = openIdMetadata(issuer, clock, timeoutMs);
  return {
    id,
    name: label,
    issuer,
    requiresIdTokenNonce: true,
    // `sub` is unique only at its issuer, and the operator may change the issuer of `oidc`.
    accountSubject: ({ profile: { sub } }) => (id === "google" ? sub : `${issuer} ${sub}`),
    async createAuthorizationURL({ state, codeVerifier, redirectURI, idTokenNonce: nonce }) {
      const found = await metadata().catch((error: unknown) => {
        warn(
          { provider: id, reason: reasonOf(error) },
          "The sign-in provider's discovery document can't be used",
        );
        throw new AppError(
          "UNAVAILABLE",
          `We can't reach ${label} right now. Try again in a minute, or log in with your email.`,
        );
      });
      return await createAuthorizationURL({
        id,
        options,
        state,
        codeVerifier,
        redirectURI,
        scopes,
        authorizationEndpoint: found.authorization_endpoint,
        ...(nonce !== undefined && { nonce }),
        ...(canChooseAccount(found) && { prompt: "select_account" }),
      });
    },
    async validateAuthorizationCode(authorization) {
      await requireStartedWith(id);
      return await redeemCode(await metadata(), authorization, options);
    },
    async getUserInfo(tokens) {
      try {
        const profile = await readProfile(await metadata(), tokens, clientId);
        return { user: toUser(profile, hooks), data: profile };
      } catch (error) {
        warn(
          { provider: id, reason: reasonOf(error) },
          "The sign-in provider's answer was refused",
        );
        return null;
      }
    },
  };
}

/** Returns only messages, because errors from jose contain claims that identify the user. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${error}: ${cause.message}` : String(error);
}

const scopes = ["openid", "email", "profile"];

function canChooseAccount({ prompt_values_supported: prompts }: OpenIdMetadata): boolean {
  return prompts?.includes("select_account") ?? true;
}

/** Prevents mix-up attacks (RFC 9700, section 4.4), which redeem a code at another provider. */
async function requireStartedWith(id: string): Promise<void> {
  const state = await getOAuthState();
  if (state?.serverContext?.provider !== id)
    throw new Error("The sign-in was started with another provider.");
}

const tokenResponse = z.object({ access_token: z.string(), id_token: z.string() });

type Authorization = { code: string; redirectURI: string; codeVerifier?: string | undefined };

async function redeemCode(
  { requestJson, token_endpoint, token_endpoint_auth_methods_supported: methods }: OpenIdMetadata,
  authorization: Authorization,
  options: { clientId: string; clientSecret: string },
): Promise<OAuth2Tokens> {
  const method = methods.includes("client_secret_basic")
    ? "client_secret_basic"
    : "client_secret_post";
  const { body, headers } = await authorizationCodeRequest({
    ...authorization,
    options,
    tokenEndpoint: token_endpoint,
    tokenEndpointAuth: { method },
  });
  const answer = await requestJson(token_endpoint, { method: "POST", body, headers });
  const { access_token: accessToken, id_token: idToken } = tokenResponse.parse(answer);
  return { accessToken, idToken };
}

const discoveryDocument = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  prompt_values_supported: z.array(z.string()).optional(),
});

export type OpenIdMetadata = z.output<typeof discoveryDocument> & {
  publicKeys: JWTVerifyGetKey;
  requestJson: RequestJson;
};

/** Throws on timeouts, redirects and statuses other than 2xx. */
type RequestJson = (url: string, init?: RequestInit) => Promise<unknown>;

const maxRequests = 50;
const fetchAnswer = limitedFetch(1_000_000);
const keptForMs = 60 * 60_000;

/** Caches the metadata for an hour. A failure is not cached, so the next sign-in tries again. */
export function openIdMetadata(
  issuer: string,
  clock: Clock,
  timeoutMs = providerTimeouts.signIn,
): () => Promise<OpenIdMetadata> {
  const requestJson = jsonRequests(timeoutMs);
  let current: { metadata: Promise<OpenIdMetadata>; until: number } | undefined;
  return async () => {
    const now = clock.now().getTime();
    if (!current || now >= current.until) {
      const metadata = readMetadata(issuer, { requestJson, timeoutMs });
      metadata.catch(() => {
        current = undefined;
      });
      current = { metadata, until: now + keptForMs };
    }
    return await current.metadata;
  };
}

type Requests = { requestJson: RequestJson; timeoutMs: number };

async function readMetadata(
  issuer: string,
  { requestJson, timeoutMs }: Requests,
): Promise<OpenIdMetadata> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = discoveryDocument.parse(await requestJson(url));
  if (document.issuer !== issuer)
    throw new Error(`The provider calls itself ${document.issuer}, not ${issuer}.`);
  requireSameProtocol(issuer, document);
  // No cooldown, so that an ID token with a new key causes a fetch immediately. Strangers can't
  // cause fetches, because ID tokens come only from the provider's token endpoint.
  const publicKeys = createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: timeoutMs,
    cooldownDuration: 0,
    [customFetch]: fetchAnswer,
  });
  return { ...document, publicKeys, requestJson };
}

/** A provider with a TLS issuer must not send us or our members to a URL without TLS. */
function requireSameProtocol(issuer: string, document: z.output<typeof discoveryDocument>): void {
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = document;
  const { protocol } = new URL(issuer);
  for (const url of [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri]) {
    if (url !== undefined && new URL(url).protocol !== protocol)
      throw new Error(`${url} must begin with ${protocol}, as ${issuer} does.`);
  }
}

function jsonRequests(timeoutMs: number): RequestJson {
  const limit = limitCalls(maxRequests, { service: "sign-in", isRefusal });
  return async (url, init) =>
    await limit(async () => {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetchAnswer(url, { ...init, redirect: "error", signal });
      if (response.ok) return await response.json();
      await response.body?.cancel();
      throw new UnexpectedStatus(url, response.status);
    });
}

class UnexpectedStatus extends Error {
  readonly status: number;

  constructor(url: string | URL, status: number) {
    super(`${url} answered ${status}.`);
    this.status = status;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof UnexpectedStatus && error.status >= 400 && error.status < 500;
}
