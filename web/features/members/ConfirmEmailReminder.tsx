import { lazy, Suspense } from "react";
import { useMatches } from "react-router";
import { resendConfirmation } from "#contract/members.ts";
import { useCall } from "#web/api/api.ts";
import { useSession } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";

const DemoInbox = lazy(async () => ({ default: (await import("./DemoInbox.tsx")).DemoInbox }));

export function ConfirmEmailReminder() {
  const session = useSession();
  // Waits until the page has loaded. Otherwise the reminder would push the page's spinner down.
  const isPageLoaded = useMatches().at(-1)?.loaderData !== undefined;
  if (!session || session.confirmed || !isPageLoaded) return null;
  return <Reminder email={session.user.email} />;
}

function Reminder({ email }: { email: string }) {
  // Errors appear in the reminder itself, because a toast would cover the button.
  const resend = useCall(resendConfirmation, { onError: () => {} });
  const sent = resend.data !== undefined;
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-2 rounded-2xl bg-secondary p-4 text-secondary-content text-sm print:hidden">
      <div role="status" className="min-w-56 flex-1">
        <p className="font-medium">
          {sent ? "We sent you a new link." : "Confirm your email address"}
        </p>
        <p>
          Open the link we emailed to <EmailText>{email}</EmailText>, so that we can email you about
          orders and listings.
        </p>
        {resend.error && <p className="mt-1 font-medium">{resend.error.message}</p>}
        {sent && (
          <Suspense fallback={null}>
            <DemoInbox />
          </Suspense>
        )}
      </div>
      <Button look="plain" size="small" busy={resend.isPending} onClick={() => resend.mutate({})}>
        Send the link again
      </Button>
    </div>
  );
}
