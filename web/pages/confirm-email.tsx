import { ConfirmEmail } from "#web/features/members/ConfirmEmail.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { FormMessage } from "#web/ui/Form.tsx";
import { AuthCard, LinkToken } from "./auth-card.tsx";

/** The page needs scripts, so the app starts at once (`web/start/server-render.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Confirm your email address");

/** Opening the page confirms nothing, because mail scanners open links. */
export default function ConfirmEmailPage() {
  return (
    <LinkToken>
      {(token) => (
        <AuthCard title="Confirm your email address">
          {token === undefined ? (
            <FormMessage message="This link is incomplete. Open the full link from the email we sent you." />
          ) : (
            <ConfirmEmail token={token} />
          )}
        </AuthCard>
      )}
    </LinkToken>
  );
}
