import { createHash, randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type CodeIssuer, claimsOf, type Grant, issuerOf } from "./authorization-endpoint.ts";
import type { SigningKey } from "./discovery.ts";

const tokenRequest = z.object({
  grant_type: z.string(),
  code: z.string().default(""),
  redirect_uri: z.string().default(""),
  client_id: z.string().default(""),
  client_secret: z.string().default(""),
  code_verifier: z.string().default(""),
});

type TokenRequest = z.output<typeof tokenRequest>;

/** Serves the token endpoint (RFC 6749, 4.1.3). No endpoint accepts the issued access tokens. */
export function tokenRoutes(
  app: FastifyInstance,
  { client, codes, signingKey }: CodeIssuer & { signingKey: SigningKey },
): void {
  app.post("/token", async (request, reply) => {
    reply.header("cache-control", "no-store");
    const parsed = tokenRequest.safeParse(request.body);
    if (!parsed.success) return reply.code(400).send({ error: "invalid_request" });
    const params = parsed.data;
    const { clientId } = client;
    if (params.client_id !== clientId || params.client_secret !== client.clientSecret) {
      return reply.code(401).send({ error: "invalid_client" });
    }
    if (params.grant_type !== "authorization_code") {
      return reply.code(400).send({ error: "unsupported_grant_type" });
    }
    const grant = codes.take(params.code);
    if (!grant || !matchesGrant(params, grant)) {
      return reply.code(400).send({ error: "invalid_grant" });
    }
    const { nonce, scope } = grant.request;
    const claims = { ...claimsOf(grant.account), nonce, aud: clientId, azp: clientId };
    return {
      access_token: randomBytes(24).toString("base64url"),
      id_token: await signingKey.sign({ ...claims, iss: issuerOf(request) }),
      token_type: "Bearer",
      expires_in: 3599,
      scope,
    };
  });
}

function matchesGrant(params: TokenRequest, { request }: Grant): boolean {
  const challenge = createHash("sha256").update(params.code_verifier).digest("base64url");
  return challenge === request.code_challenge && params.redirect_uri === request.redirect_uri;
}
