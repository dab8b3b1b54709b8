import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SandboxConfig } from "../config.ts";
import type { ExpiringStore } from "../expiring-store.ts";
import type { Account } from "./accounts.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { SigningKey } from "./signing-key.ts";

export type Grant = { account: Account; request: AuthorizationRequest };

export type GoogleProvider = {
  client: SandboxConfig["google"];
  signingKey: SigningKey;
  codes: ExpiringStore<Grant>;
};

export const authorizationPath = "/o/oauth2/v2/auth";

/** The port is known only once the server listens. */
export function issuerOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}/google`;
}

/** The discovery document (OpenID Connect Discovery 1.0) and the JWKS. */
export function discoveryRoutes(app: FastifyInstance, { signingKey }: GoogleProvider): void {
  app.get("/.well-known/openid-configuration", async (request) => {
    const issuer = issuerOf(request);
    return {
      issuer,
      authorization_endpoint: `${issuer}${authorizationPath}`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/oauth2/v3/certs`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      scopes_supported: ["openid", "email", "profile"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      code_challenge_methods_supported: ["S256"],
    };
  });
  app.get("/oauth2/v3/certs", async () => signingKey.jwks);
}
