import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SandboxConfig } from "../config.ts";
import type { Grant } from "./authorization.ts";
import type { Person } from "./people.ts";
import type { ShortLived } from "./short-lived.ts";
import type { Signing } from "./signing.ts";

/** What the provider works with: its one client, its key, and the codes and access tokens given out. */
export type Google = {
  client: SandboxConfig["google"];
  signing: Signing;
  codes: ShortLived<Grant>;
  visitors: ShortLived<Person>;
};

/** Where the account chooser is, below the issuer. */
export const chooserPath = "/o/oauth2/v2/auth";

/** The issuer as whoever asks reaches it; the shop's server and its visitors ask at the same address. */
export function issuerOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}/google`;
}

/** What the provider says of itself (OpenID Connect Discovery 1.0), and the keys its tokens are checked by. */
export function discoveryRoutes(app: FastifyInstance, { signing }: Google): void {
  app.get("/.well-known/openid-configuration", async (request) => {
    const issuer = issuerOf(request);
    return {
      issuer,
      authorization_endpoint: `${issuer}${chooserPath}`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/v1/userinfo`,
      jwks_uri: `${issuer}/oauth2/v3/certs`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      scopes_supported: ["openid", "email", "profile"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      code_challenge_methods_supported: ["S256"],
    };
  });
  app.get("/oauth2/v3/certs", async () => signing.keySet);
}
