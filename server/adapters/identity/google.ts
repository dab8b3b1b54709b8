import type { BetterAuthOptions } from "better-auth";
import { APIError } from "better-auth/api";
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins";
import type { Kysely } from "kysely";
import { newUser } from "#contract/members.ts";
import { email as emailSchema } from "#contract/text.ts";
import type { DB } from "../../db/schema.ts";
import { addressBlocked, isAddressBlocked } from "../../features/members/blocked-addresses.ts";
import { findMemberByEmail } from "../../features/members/members.ts";
import { accountSuspended } from "../../features/members/suspension.ts";
import type { OpenIdClient } from "./port.ts";
import type { Secrets } from "./signed-cookies.ts";

/**
 * Google by OpenID Connect, at whatever address it says what it offers: `/sign-in/social` with the
 * provider `google`. The code is bound by PKCE, the ID token by its nonce and Google's keys.
 */
export function googleByOpenId(client: OpenIdClient) {
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

/** The name a Google account shows, where it can be a member's; otherwise what stands before the @. */
function nameOf(name: unknown, email: string | null | undefined): string {
  const known = newUser.shape.name.safeParse(name);
  if (known.success) return known.data;
  const [local = ""] = (email ?? "").split("@");
  const fallback = newUser.shape.name.safeParse(local.replaceAll(/[^\p{L}\p{N}]+/gu, " "));
  return fallback.success ? fallback.data : "Member";
}

/**
 * Who is let in. By Google (decision 0008): only somebody whose address Google has verified, and into an
 * account of that address only where the address was proven here as well, which a password alone is not.
 * Nobody while they are suspended, nor with the address of an account just deleted (decision 0031).
 */
export function whoIsLetIn(db: Kysely<DB>, secrets: Secrets) {
  return {
    ...providerAccounts,
    user: {
      async validateUserInfo({ user, source }) {
        if (source.method === "oauth" && user.emailVerified !== true)
          return { error: "email_not_verified" };
        const email = emailSchema.safeParse(user.email);
        if (!email.success) return undefined;
        if (source.action === "create-user" && (await isAddressBlocked(db, secrets, email.data)))
          return { error: "ADDRESS_BLOCKED", errorDescription: addressBlocked };
        if (await isSuspended(db, email.data))
          return { error: "ACCOUNT_SUSPENDED", errorDescription: accountSuspended };
        return undefined;
      },
    },
    databaseHooks: {
      ...providerAccounts.databaseHooks,
      session: {
        create: {
          async before({ userId }) {
            const user = db.selectFrom("identity.user").select("email").where("id", "=", userId);
            const { email } = await user.executeTakeFirstOrThrow();
            if (await isSuspended(db, email))
              throw new APIError("FORBIDDEN", {
                code: "ACCOUNT_SUSPENDED",
                message: accountSuspended,
              });
          },
        },
      },
    },
  } satisfies BetterAuthOptions;
}

async function isSuspended(db: Kysely<DB>, email: string): Promise<boolean> {
  return (await findMemberByEmail(db, email))?.isSuspended === true;
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
          // A photo is one of ours (contract, PUT /users/profile): a page of ours loads from nowhere else.
          return { data: { ...user, email: emailSchema.parse(user.email), image: null } };
        },
      },
    },
    // Google is asked nothing after the sign-in, so its tokens are not kept.
    account: {
      create: {
        async before(account) {
          return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
        },
      },
    },
  },
} satisfies BetterAuthOptions;
