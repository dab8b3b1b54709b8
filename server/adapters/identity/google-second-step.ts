import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { deleteSessionCookie } from "better-auth/cookies";
import { generateRandomString } from "better-auth/crypto";

/**
 * Asks members with two-step verification for a code after signing in with Google too; the `twoFactor`
 * plugin asks after a password only. It starts the same challenge as the plugin does (its `index.mjs`).
 */
export function requireSecondStepAfterGoogle(seconds: number) {
  return {
    id: "google-second-step",
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
            const expiresAt = new Date(Date.now() + seconds * 1_000);
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

/** The page reads from `error` what has to be done next, as for any other end of Google's sign-in. */
function withError(location: string | null | undefined): string {
  const [path = "", query = ""] = (location ?? "/auth/done").split("?");
  const asked = new URLSearchParams(query);
  asked.set("error", "second_step_required");
  return `${path}?${asked}`;
}
