import { Link } from "react-router";
import { unsubscribe } from "#contract/invites.ts";
import { useCall } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { Icon } from "#web/ui/Icon.tsx";

/** Stops invitations to the address an invitation went to; no session is needed. */
export function Unsubscribe({ token }: { token: string }) {
  const stop = useCall(unsubscribe, { onError: () => {} });
  if (stop.data) return <Unsubscribed />;
  return (
    <>
      <p>Press the button, and your email address won't get any more invitations to Secondlap.</p>
      <Button size="large" busy={stop.isPending} onClick={() => stop.mutate({ query: { token } })}>
        Unsubscribe
      </Button>
      <FormMessage message={stop.error?.message} />
    </>
  );
}

function Unsubscribed() {
  return (
    <div role="status" className="flex flex-col items-start gap-4">
      <Icon name="circle-check" className="size-10 text-success" />
      <p className="font-medium">
        You're unsubscribed. We won't send any more invitations to this email address.
      </p>
      <Link to={paths.home()} className={buttonClass({ size: "large" })}>
        Continue to Secondlap
      </Link>
    </div>
  );
}
