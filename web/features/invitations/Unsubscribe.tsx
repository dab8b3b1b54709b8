import { Link } from "react-router";
import { type EmailTopic, topicOf, unsubscribe } from "#contract/unsubscribe.ts";
import { useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";

const subjects = {
  "saved-laptops": "the laptops you saved",
  messages: "unread messages",
  reviews: "reviews",
  "saved-search": "this search",
};

function textsOf(topic: EmailTopic) {
  if (topic === "invitations")
    return {
      before: "and your email address won't get any more invitations to this shop.",
      after: "We won't send any more invitations to this email address.",
    };
  const text = `won't email you about ${subjects[topic]} any more.`;
  return { before: `and we ${text}`, after: `We ${text}` };
}

/** Stops the kind of email that contained the link; no session is needed. */
export function Unsubscribe({ token }: { token: string }) {
  const stop = useCall(unsubscribe, { onError: () => {} });
  const { before, after } = textsOf(topicOf(token));
  if (stop.data)
    return (
      <div role="status" className="flex flex-col items-start gap-4">
        <Icon name="circle-check" className="size-10 text-success" />
        <p className="font-medium">{`You're unsubscribed. ${after}`}</p>
        <Link to={paths.home()} className={buttonClass({ size: "large" })}>
          Go to the home page
        </Link>
      </div>
    );
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
