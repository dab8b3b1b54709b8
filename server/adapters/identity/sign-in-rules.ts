import type { BetterAuthOptions } from "better-auth";
import { APIError } from "better-auth/api";
import type { Kysely } from "kysely";
import { email as emailSchema } from "#contract/text.ts";
import type { DB } from "../../db/schema.ts";
import type { IdentityHooks } from "./port.ts";
import { findEmail } from "./second-factor-store.ts";

/**
 * Decides who may sign in. A provider must have verified the address. The sign-in is linked to an
 * existing account only if the account's address was verified here too (decisions/identity).
 * Suspended members and recently deleted addresses are rejected (decisions/members).
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
          // Omits the provider's photo: the CSP allows only uploaded photos (PUT /users/profile).
          return { data: { ...user, email: emailSchema.parse(user.email), image: null } };
        },
      },
    },
    // Providers are not called after sign-in, so their tokens are not stored.
    account: {
      create: {
        async before(account) {
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
        },
      },
    },
  },
} satisfies BetterAuthOptions;
