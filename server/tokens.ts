import { hkdfSync } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "./clock.ts";

const issuer = "secondlap";
const audience = "secondlap-api";

/** Access tokens: they say who, for 15 minutes, and nothing else (contract, GET /jwt). */
export type Tokens = {
  issue(memberId: string): Promise<string>;
  /** The member id of a valid token, or undefined. */
  read(token: string): Promise<string | undefined>;
};

/** Tokens signed by a key derived from the program's secret. */
export function createTokens(secret: string, clock: Clock): Tokens {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "access tokens", 32));
  return {
    issue(memberId) {
      const now = clock.now();
      return new SignJWT()
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
          requiredClaims: ["exp", "sub"],
        });
        return payload.sub;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
