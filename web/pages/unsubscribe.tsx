import { incompleteLink } from "#contract/invites.ts";
import { Unsubscribe } from "#web/features/invites/Unsubscribe.tsx";
import { pageMeta } from "#web/meta.ts";
import { paths } from "#web/paths.ts";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { AuthCard } from "./auth-card.tsx";
import { LinkToken } from "./link-token.tsx";

/** Shows nothing of use without scripts (`web/start/app-start.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Unsubscribe");

/** Opened from an invitation. Opening it changes nothing, because mail scanners open links too. */
export default function UnsubscribePage() {
  return (
    <LinkToken path={paths.unsubscribe()}>
      {(token) => (
        <AuthCard title="Unsubscribe from invitations">
          {token === undefined ? (
            <FormMessage message={incompleteLink} />
          ) : (
            <Unsubscribe token={token} />
          )}
        </AuthCard>
      )}
    </LinkToken>
  );
}
