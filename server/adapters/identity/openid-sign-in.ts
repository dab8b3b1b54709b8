import {
  authorizationCodeRequest,
  createAuthorizationURL,
  type OAuth2Tokens,
  type OAuthProvider,
} from "@better-auth/core/oauth2";
import type { BetterAuthPlugin } from "better-auth";
import { addOAuthServerContext, createAuthMiddleware, getOAuthState } from "better-auth/api";
import { z } from "zod";
import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { type OpenIdMetadata, openIdMetadata } from "./openid-metadata.ts";
import { type OpenIdProfile, readProfile, toUser } from "./openid-profile.ts";
import type { OpenIdProvider } from "./port.ts";

type Settings = {
  providers: OpenIdProvider[];
  clock: Clock;
  warn: (fields: object, message: string) => void;
  /** Timeout of one request to a provider. */
  providerTimeoutMs?: number;
};

const signInPath = "/sign-in/social";

/**
 * Signs in with OpenID providers: `/sign-in/social` with the provider's id (decisions/identity).
 * PKCE protects the code. The nonce and the provider's public keys protect the ID token.
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
 * Replaces better-auth's `genericOAuth`, which reads discovery documents during setup: a slow
 * provider would block every sign-in. The plugin also ignores issuers and the user info's `sub`.
 */
function oauthProvider(
  provider: OpenIdProvider,
  { clock, warn, providerTimeoutMs }: Settings,
): OAuthProvider<OpenIdProfile> {
  const { id, label, issuer, clientId, clientSecret } = provider;
  const options = { clientId, clientSecret };
  const metadata = openIdMetadata(issuer, clock, providerTimeoutMs);
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
        return { user: toUser(profile), data: profile };
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

/** Returns only the message, because errors of jose contain claims that identify the user. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${error}: ${cause.message}` : String(error);
}

const scopes = ["openid", "email", "profile"];

function canChooseAccount({ prompt_values_supported: prompts }: OpenIdMetadata): boolean {
  return prompts?.includes("select_account") ?? true;
}

/**
 * Prevents mix-up attacks (RFC 9700, section 4.4): a code is redeemed only at the provider where
 * the sign-in started.
 */
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
