import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { keysFor, type Secrets } from "../keyed-hash.ts";

const algorithm = "HS256";
const issuer = "secondlap";
const audience = "secondlap-api";

type TokenClaims = { memberId: string; sessionId: string };

export type Tokens = ReturnType<typeof createTokens>;

type Verified = { claims: TokenClaims; expiresAt: number };

/** The number of verified tokens to cache, because verifying a token is slow. */
const maxVerified = 5_000;

/**
 * JWTs that name a member and a session, valid for 15 minutes (contract, GET /jwt). Tokens signed
 * under `PREVIOUS_SECRET` stay valid until they expire.
 */
export function createTokens(secrets: Secrets, clock: Clock) {
  const keys = keysFor("access tokens", secrets);
  const [key] = keys;
  const known = new LRUCache<string, Verified>({ max: maxVerified });
  return {
    async issue({ memberId, sessionId }: TokenClaims): Promise<string> {
      const now = clock.now();
      return await new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(memberId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + 15 * 60_000))
        .sign(key);
    },
    /** Returns undefined if the token is invalid or expired. */
    async verify(token: string): Promise<TokenClaims | undefined> {
      const now = clock.now();
      const found = known.get(token);
      if (found && now.getTime() < found.expiresAt) return found.claims;
      for (const one of keys) {
        const verified = await verifyWith(one, token, now);
        if (!verified) continue;
        known.set(token, verified);
        return verified.claims;
      }
      return undefined;
    },
  };
}

async function verifyWith(
  key: Uint8Array,
  token: string,
  now: Date,
): Promise<Verified | undefined> {
  const expected = { algorithms: [algorithm], issuer, audience, currentDate: now };
  try {
    const requiredClaims = ["exp", "sub", "sid"];
    const { payload } = await jwtVerify(token, key, { ...expected, requiredClaims });
    const claims = { memberId: String(payload.sub), sessionId: String(payload.sid) };
    return { claims, expiresAt: Number(payload.exp) * 1000 };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
