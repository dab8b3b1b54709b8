import { incompleteLink, topicOf } from "#contract/unsubscribe.ts";
import { Unsubscribe } from "#web/features/invitations/Unsubscribe.tsx";
import { pageMeta } from "#web/page-meta.ts";
import { FormMessage } from "#web/ui/Form.tsx";
import { AuthCard, LinkToken } from "./auth-card.tsx";

/** This page is useless without scripts, so the app starts at once (`web/start/server-render.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Unsubscribe");

const titles = {
  invitations: "Unsubscribe from invitations",
  "saved-laptops": "Stop emails about saved laptops",
  messages: "Stop emails about messages",
  reviews: "Stop emails about reviews",
  "saved-search": "Stop emails about a saved search",
};

/** Opening the page changes nothing, because mail scanners open links too. */
export default function UnsubscribePage() {
  return (
    <LinkToken>
      {(token) => (
        <AuthCard title={titles[topicOf(token ?? "")]}>
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
