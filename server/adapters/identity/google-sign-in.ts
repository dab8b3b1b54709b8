import type { BetterAuthOptions } from "better-auth";
import { APIError } from "better-auth/api";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins";
import type { Kysely } from "kysely";
import { newUser } from "#contract/members.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { DB } from "../../db/schema.ts";
import type { IdentityHooks, OpenIdClient } from "./port.ts";
import { findEmail } from "./second-factor-store.ts";

/**
 * Google by OpenID Connect: `/sign-in/social` with the provider `google`. The code is protected by PKCE,
 * the ID token by its nonce and Google's public keys.
 */
export function googleProvider(client: OpenIdClient) {
  const provider: GenericOAuthConfig = {
    ...client,
    providerId: "google",
    scopes: ["openid", "email", "profile"],
    prompt: "select_account",
    requireIdTokenVerification: true,
    mapProfileToUser: ({ name, email }) => ({ name: nameOf(name, email) }),
  };
  return genericOAuth({ config: [provider] });
}

/** The name of the Google account if it is a valid member name, otherwise the local part of the address. */
function nameOf(name: unknown, email: string | null | undefined): string {
  const valid = newUser.shape.name.safeParse(name);
  if (valid.success) return valid.data;
  const [local = ""] = (email ?? "").split("@");
  const fallback = newUser.shape.name.safeParse(local.replaceAll(/[^\p{L}\p{N}]+/gu, " "));
  return fallback.success ? fallback.data : "Member";
}

/**
 * Who may sign in. With Google only if Google has verified the address; it is linked to an existing account
 * only if that account's address was verified here too (decision 0008). Suspended members and recently
 * deleted addresses are refused (decision 0031).
 */
export function signInRules(db: Kysely<DB>, hooks: IdentityHooks) {
  return {
    ...providerAccounts,
    user: {
      async validateUserInfo({ user, source }) {
        if (source.method === "oauth" && user.emailVerified !== true)
          return { error: "email_not_verified" };
        const email = emailSchema.safeParse(user.email);
        if (!email.success) return undefined;
        const refusal =
          (source.action === "create-user" && (await hooks.refuseNewAccount(email.data))) ||
          (await hooks.refuseSignIn(email.data));
        return refusal && { error: refusal.code, errorDescription: refusal.message };
      },
    },
    databaseHooks: {
      ...providerAccounts.databaseHooks,
      session: {
        create: {
          async before({ userId }) {
            const refusal = await hooks.refuseSignIn(await emailOf(db, userId));
            if (refusal) throw new APIError("FORBIDDEN", refusal);
          },
        },
      },
    },
  } satisfies BetterAuthOptions;
}

async function emailOf(db: Kysely<DB>, userId: string): Promise<string> {
  const email = await findEmail(db, userId);
  if (email === undefined) throw new Error("A session was created for an account that is gone.");
  return email;
}

const providerAccounts = {
  account: {
    accountLinking: { enabled: true, requireLocalEmailVerified: true, trustedProviders: [] },
    updateAccountOnSignIn: false,
  },
  databaseHooks: {
    user: {
      create: {
        async before(user) {
          // Photos are uploaded here (contract, PUT /users/profile); the CSP allows no other image host.
          return { data: { ...user, email: emailSchema.parse(user.email), image: null } };
        },
      },
    },
    // Google's API is not called after signing in, so its tokens are not stored.
    account: {
      create: {
        async before(account) {
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
        },
      },
    },
  },
} satisfies BetterAuthOptions;
