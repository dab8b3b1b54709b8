import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { deleteSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";
import type { Clock } from "../../clock.ts";

/**
 * Requires two-step verification after a sign-in with a provider. The `twoFactor` plugin requires
 * it only after a password. Starts the same challenge as the plugin's `index.mjs`, valid for
 * `seconds`.
 */
export function twoFactorAfterProvider({ seconds, clock }: { seconds: number; clock: Clock }) {
  return {
    id: "provider-two-factor",
    hooks: {
      after: [
        {
          matcher: ({ path }) => path === "/callback/:id",
          handler: createAuthMiddleware(async (ctx) => {
            const { newSession, internalAdapter } = ctx.context;
            if (newSession?.user.twoFactorEnabled !== true) return;
            deleteSessionCookie(ctx, true);
            await internalAdapter.deleteSession(newSession.session.token);
            ctx.context.setNewSession(null);
            const identifier = `2fa-${generateRandomString(20)}`;
            const expiresAt = new Date(clock.now().getTime() + seconds * 1_000);
            const challenge = { identifier, value: newSession.user.id, expiresAt };
            const attempts = { identifier: `2fa-attempts-${identifier}`, value: "0", expiresAt };
            await internalAdapter.createVerificationValue(challenge);
            await internalAdapter.createVerificationValue(attempts);
            const cookie = ctx.context.createAuthCookie("two_factor", { maxAge: seconds });
            await ctx.setSignedCookie(
              cookie.name,
              identifier,
              ctx.context.secret,
              cookie.attributes,
            );
            throw ctx.redirect(withError(ctx.context.responseHeaders?.get("location")));
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Sets the parameter `error`, which tells the page the outcome of a provider sign-in. */
function withError(location: string | null | undefined): string {
  const [path = "", query = ""] = (location ?? "/auth/done").split("?");
  const params = new URLSearchParams(query);
  params.set("error", "second_step_required");
  return `${path}?${params}`;
}
