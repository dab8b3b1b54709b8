import { type EmailTopic, incompleteLink, topicOf, unsubscribe } from "#contract/unsubscribe.ts";
import { useCall } from "#web/api/api.ts";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { AuthCard, LinkToken } from "./auth-card.tsx";

/** The page needs scripts, so the app starts at once (`web/start/server-render.ts`). */
export const handle = { isEager: true };

export const meta = pageMeta("Unsubscribe");

/** Opening the page changes nothing, because mail scanners open links too. */
export default function UnsubscribePage() {
  return (
    <LinkToken>
      {(token) => (
        <AuthCard title={topics[topicOf(token ?? "")].title}>
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

const topics: Record<EmailTopic, { title: string; about?: string }> = {
  invitations: { title: "Unsubscribe from invitations" },
  "saved-laptops": { title: "Stop emails about saved laptops", about: "the laptops you saved" },
  messages: { title: "Stop emails about messages", about: "unread messages" },
  reviews: { title: "Stop emails about reviews", about: "reviews" },
  "saved-search": { title: "Stop emails about a saved search", about: "this search" },
};

function textsOf(topic: EmailTopic) {
  const { about } = topics[topic];
  if (about === undefined)
    return {
      before: "your email address won't get any more invitations to this shop.",
      after: "We won't send any more invitations to this email address.",
    };
  const text = `won't email you about ${about} anymore.`;
  return { before: `we ${text}`, after: `We ${text}` };
}

/** Stops the kind of email that contained the link; no session is needed. */
function Unsubscribe({ token }: { token: string }) {
  const stop = useCall(unsubscribe, { onError: () => {} });
  const { before, after } = textsOf(topicOf(token));
  if (stop.data)
    return (
      <div role="status" className="flex flex-col items-start gap-4">
        <Icon name="circle-check" className="size-10 text-success" />
        <p className="font-medium">{`You're unsubscribed. ${after}`}</p>
        <ButtonLink to={paths.home()} size="large">
          Go to the home page
        </ButtonLink>
      </div>
    );
  return (
    <>
      <p>{`Press the button, and ${before}`}</p>
      <Button size="large" busy={stop.isPending} onClick={() => stop.mutate({ query: { token } })}>
        Unsubscribe
      </Button>
      <FormMessage message={stop.error?.message} />
    </>
  );
}
