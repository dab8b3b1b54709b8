import { Link } from "react-router";
import { topicOf, unsubscribe } from "#contract/unsubscribe.ts";
import { useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { Icon } from "#web/ui/Icon.tsx";

const texts = {
  invitations: {
    before: "and your email address won't get any more invitations to this shop.",
    after: "We won't send any more invitations to this email address.",
  },
  "saved-laptops": {
    before: "and we won't email you about the laptops you saved any more.",
    after: "We won't email you about the laptops you saved any more.",
  },
  messages: {
    before: "and we won't email you about unread messages any more.",
    after: "We won't email you about unread messages any more.",
  },
  reviews: {
    before: "and we won't email you about reviews any more.",
    after: "We won't email you about reviews any more.",
  },
  "saved-search": {
    before: "and we won't email you about this search any more.",
    after: "We won't email you about this search any more.",
  },
};

/** Stops the kind of email that contained the link; no session is needed. */
export function Unsubscribe({ token }: { token: string }) {
  const stop = useCall(unsubscribe, { onError: () => {} });
  const { before, after } = texts[topicOf(token)];
  if (stop.data) return <Unsubscribed text={after} />;
  return (
    <>
      <p>{`Press the button, ${before}`}</p>
      <Button size="large" busy={stop.isPending} onClick={() => stop.mutate({ query: { token } })}>
        Unsubscribe
      </Button>
      <FormMessage message={stop.error?.message} />
    </>
  );
}

function Unsubscribed({ text }: { text: string }) {
  return (
    <div role="status" className="flex flex-col items-start gap-4">
      <Icon name="circle-check" className="size-10 text-success" />
      <p className="font-medium">{`You're unsubscribed. ${text}`}</p>
      <Link to={paths.home()} className={buttonClass({ size: "large" })}>
        Go to the home page
      </Link>
    </div>
  );
}
