import { hkdfSync } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "./clock.ts";

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

/** Tokens signed by a key derived from the program's secret. */
export function createTokens(secret: string, clock: Clock): Tokens {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "access tokens", 32));
  return {
    issue({ memberId, sessionId }) {
      const now = clock.now();
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(memberId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(new Date(now.getTime() + 15 * 60_000))
        .sign(key);
    },
    async read(token) {
      const options = { algorithms: ["HS256"], issuer, audience, currentDate: clock.now() };
      try {
        const { payload } = await jwtVerify(token, key, {
          ...options,
          requiredClaims: ["exp", "sub", "sid"],
        });
        return { memberId: String(payload.sub), sessionId: String(payload.sid) };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
