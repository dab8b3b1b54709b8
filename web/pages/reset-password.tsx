import { RequestNewLink, ResetPasswordForm } from "#web/features/members/ResetPasswordForm.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { AuthCard, LinkToken } from "./auth-card.tsx";

/** The page needs scripts, so the app starts at once (`web/start/server-render.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Set a new password");

export default function ResetPassword() {
  return (
    <LinkToken>
      {(token) => (
        <AuthCard title="Set a new password">
          {token === undefined ? (
            <RequestNewLink message="This link is incomplete. Open the full link from the email, or request a new one." />
          ) : (
            <ResetPasswordForm token={token} />
          )}
        </AuthCard>
      )}
    </LinkToken>
  );
}
