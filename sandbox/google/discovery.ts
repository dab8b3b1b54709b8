import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FastifyInstance } from "fastify";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { z } from "zod";
import { authorizationPath, issuerOf } from "./authorization-endpoint.ts";

/** Serves the discovery document (OpenID Connect Discovery 1.0) and the JWKS. */
export function discoveryRoutes(app: FastifyInstance, signingKey: SigningKey): void {
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

const storedKey = z.looseObject({ kty: z.literal("RSA"), n: z.string(), e: z.string() });

export type SigningKey = Awaited<ReturnType<typeof openSigningKey>>;

/** Loads the RS256 key from `file`, or creates it there if the file has no valid key. */
export async function openSigningKey(file: string) {
  const jwk = readKey(file) ?? (await createKey(file));
  const key = await importJWK(jwk, "RS256");
  const kid = await calculateJwkThumbprint(jwk);
  const { kty, n, e } = jwk;
  return {
    jwks: { keys: [{ kty, n, e, kid, alg: "RS256", use: "sig" }] },
    sign: (claims: Record<string, string | boolean | undefined>) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(key),
  };
}

function readKey(file: string) {
  try {
    return storedKey.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

async function createKey(file: string) {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = storedKey.parse(await exportJWK(privateKey));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(jwk), { mode: 0o600, flush: true });
  return jwk;
}
