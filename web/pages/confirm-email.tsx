import { confirmAddress } from "#contract/members.ts";
import { useCall } from "#web/api/api.ts";
import { hasErrorCode } from "#web/api/identity-client.ts";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
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

/** Confirms an email address with the token from an emailed link; no session is needed. */
function ConfirmEmail({ token }: { token: string }) {
  const confirm = useCall(confirmAddress, { onError: () => {} });
  if (confirm.data)
    return (
      <div role="status" className="flex flex-col items-start gap-4">
        <Icon name="circle-check" className="size-10 text-success" />
        <p className="font-medium">
          {confirm.data.already
            ? "Your email address is already confirmed."
            : "Thank you. Your email address is confirmed."}
        </p>
        <ButtonLink to={paths.home()} size="large">
          Go to the home page
        </ButtonLink>
      </div>
    );
  // The profile page has a button for a new link. Visitors log in first.
  if (hasErrorCode("LINK_EXPIRED", confirm.error))
    return (
      <>
        <FormMessage message={confirm.error?.message} />
        <ButtonLink to={paths.profile()} size="large">
          Get a new link
        </ButtonLink>
      </>
    );
  return (
    <>
      <p>Press the button to confirm that this email address is yours.</p>
      <p className="text-muted text-sm">
        Only do this if you signed up yourself. If someone else signed up with your address, just
        close this page.
      </p>
      <Button
        size="large"
        busy={confirm.isPending}
        onClick={() => confirm.mutate({ body: { token } })}
      >
        Confirm my email address
      </Button>
      <FormMessage message={confirm.error?.message} />
    </>
  );
}
