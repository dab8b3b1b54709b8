import { useState } from "react";
import { useDeleteAccount } from "#web/auth/session.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog } from "#web/ui/ConfirmDialog.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { needsConfirmation, useConfirmIdentity } from "./ConfirmIdentity.tsx";
import { Section } from "./ProfileSection.tsx";

/** Leaving, behind the confirmation of specification 8. */
export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  const remove = useDeleteAccount();
  const confirmIdentity = useConfirmIdentity();
  const close = () => setAsking(false);
  const removeAccount = () =>
    remove.mutate(undefined, {
      onError: (error) => {
        close();
        confirmIdentity.ask(error, removeAccount);
      },
    });
  return (
    <Section
      title="Delete your account"
      about="Your listings go at once, and your name, address and telephone number after 30 days. A paid laptop has to be handed over first. This address can't be used for a new account for 30 days."
    >
      <FormMessage message={needsConfirmation(remove.error) ? undefined : remove.error?.message} />
      <Button look="danger" className="self-start" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      {asking && (
        <ConfirmDialog
          title="Are you sure you want to delete?"
          message="If you delete your account. It cannot be undone."
          confirm="Delete"
          busy={remove.isPending}
          onConfirm={removeAccount}
          onCancel={close}
        />
      )}
      {confirmIdentity.dialog}
    </Section>
  );
}
