import { hkdfSync } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";

const algorithm = "HS256";
const issuer = "secondlap";
const audience = "secondlap-api";

/** Who a token names, and the session of theirs it was issued in. */
export type Bearer = { memberId: string; sessionId: string };

/** Access tokens: they say who, for 15 minutes, and nothing else (contract, GET /jwt). */
export type Tokens = {
  issue(bearer: Bearer): Promise<string>;
  /** Whom a valid token names, or undefined. */
  read(token: string): Promise<Bearer | undefined>;
};

type Secrets = { secret: string; previousSecret: string | undefined };

/** Tokens signed by a key derived from the program's secret; those of the secret before it hold to their end. */
export function createTokens({ secret, previousSecret }: Secrets, clock: Clock): Tokens {
  const key = keyOf(secret);
  const keys = previousSecret === undefined ? [key] : [key, keyOf(previousSecret)];
  return {
    issue({ memberId, sessionId }) {
      const now = clock.now();
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(memberId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + 15 * 60_000))
        .sign(key);
    },
    async read(token) {
      for (const one of keys) {
        const bearer = await readBy(one, token, clock.now());
        if (bearer) return bearer;
      }
      return undefined;
    },
  };
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "access tokens", 32));
}

async function readBy(key: Uint8Array, token: string, now: Date): Promise<Bearer | undefined> {
  const expected = { algorithms: [algorithm], issuer, audience, currentDate: now };
  try {
    const requiredClaims = ["exp", "sub", "sid"];
    const { payload } = await jwtVerify(token, key, { ...expected, requiredClaims });
    return { memberId: String(payload.sub), sessionId: String(payload.sid) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
