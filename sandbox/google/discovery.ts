import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { FastifyInstance } from "fastify";
import { calculateJwkThumbprint, SignJWT } from "jose";
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
  app.get("/oauth2/v3/certs", async () => signingKey.jwks());
}

const storedKey = z.looseObject({ kty: z.literal("RSA"), n: z.string(), e: z.string() });

export type SigningKey = ReturnType<typeof lazySigningKey>;

/**
 * Loads the RS256 key from `file`, or creates it there if the file has no valid key. Waits for the
 * first use, because creating a key takes longer than the rest of the sandbox's start.
 */
export function lazySigningKey(file: string) {
  let loaded: z.output<typeof storedKey> | undefined;
  const load = async () => {
    loaded ??= readKey(file) ?? createKey(file);
    return { jwk: loaded, kid: await calculateJwkThumbprint(loaded) };
  };
  return {
    async jwks() {
      const { jwk, kid } = await load();
      const { kty, n, e } = jwk;
      return { keys: [{ kty, n, e, kid, alg: "RS256", use: "sig" }] };
    },
    async sign(claims: Record<string, string | boolean | undefined>): Promise<string> {
      const { jwk, kid } = await load();
      return await new SignJWT(claims)
        .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(jwk);
    },
  };
}

function readKey(file: string) {
  try {
    return storedKey.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

function createKey(file: string) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const jwk = storedKey.parse(privateKey.export({ format: "jwk" }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(jwk), { mode: 0o600, flush: true });
  return jwk;
}
