import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from "jose";
import { z } from "zod";

const storedKey = z.looseObject({ kty: z.literal("RSA"), n: z.string(), e: z.string() });

export type SigningKey = Awaited<ReturnType<typeof openSigningKey>>;

/** Loads the RS256 key from `file`, or creates it there on the first start. */
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
