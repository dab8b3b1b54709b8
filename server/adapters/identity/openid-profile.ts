import type { OAuth2Tokens } from "@better-auth/core/oauth2";
import { type JWTPayload, jwtVerify } from "jose";
import { z } from "zod";
import { newUser } from "#contract/members.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { OpenIdMetadata } from "./google-and-openid-sign-in.ts";
import type { IdentityHooks } from "./port.ts";

const profileSchema = z.object({
  sub: z.string().min(1).max(255),
  name: z.unknown().optional(),
  email: z.unknown().optional(),
  email_verified: z.unknown().optional(),
});

export type OpenIdProfile = z.output<typeof profileSchema>;

type OpenIdTokens = OAuth2Tokens & { expectedIdTokenNonce?: string | undefined };

/** Reads the ID token, or the user info endpoint if the token has no email address. */
export async function readProfile(
  metadata: OpenIdMetadata,
  tokens: OpenIdTokens,
  clientId: string,
): Promise<OpenIdProfile> {
  const claims = await verifyIdToken(metadata, tokens, clientId);
  const { userinfo_endpoint } = metadata;
  if (claims.email !== undefined || userinfo_endpoint === undefined)
    return profileSchema.parse(claims);
  const headers = { authorization: `Bearer ${tokens.accessToken}` };
  const profile = profileSchema.parse(await metadata.requestJson(userinfo_endpoint, { headers }));
  if (profile.sub !== claims.sub) throw new Error("The user info is about somebody else.");
  return profile;
}

/** Algorithms with a private key. With HS256, our client secret would be enough to sign a token. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Throws unless the token is genuine (OpenID Connect Core 1.0, section 3.1.3.7). */
async function verifyIdToken(
  { issuer, publicKeys }: OpenIdMetadata,
  { idToken = "", expectedIdTokenNonce: nonce }: OpenIdTokens,
  clientId: string,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(idToken, publicKeys, {
    issuer,
    audience: clientId,
    algorithms,
    requiredClaims: ["sub", "iat", "exp", "nonce"],
    clockTolerance: "1 minute",
  });
  if (payload.nonce !== nonce) throw new Error("The nonce is of another sign-in.");
  if (payload.azp !== undefined && payload.azp !== clientId)
    throw new Error("The ID token was issued to another client.");
  return payload;
}

export type NameHooks = Pick<IdentityHooks, "refuseName">;

export function toUser({ name, email, email_verified }: OpenIdProfile, hooks: NameHooks) {
  const { data: address } = emailSchema.safeParse(email);
  return {
    name: memberNameOf(hooks, name, address),
    ...(address !== undefined && { email: address }),
    emailVerified: email_verified === true,
  };
}

/** The provider's name. If it is invalid here, the address's local part or else `Member`. */
export function memberNameOf(
  { refuseName }: NameHooks,
  name: unknown,
  email: string | undefined,
): string {
  const allowed = newUser.shape.name.refine((value) => refuseName(value) === undefined);
  const valid = allowed.safeParse(name);
  if (valid.success) return valid.data;
  const [local = ""] = (email ?? "").split("@");
  const fallback = allowed.safeParse(local.replaceAll(/[^\p{L}\p{N}]+/gu, " "));
  return fallback.success ? fallback.data : "Member";
}
