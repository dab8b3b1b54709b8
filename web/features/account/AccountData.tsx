import { useState } from "react";
import { deleteAccount, readOwnData } from "#contract/account.ts";
import { browserApi, useMutationOnce } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { endSession, firebaseClient, usesFirebase } from "#web/api/identity-client.ts";
import { useAfterSignOut } from "#web/auth/session.ts";
import { needsConfirmation, useConfirmIdentity } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmDialog, deletionTexts } from "#web/ui/ConfirmButton.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { toast } from "#web/ui/toast.ts";
import { ProfileSection } from "./ProfileSection.tsx";

export function DataExport() {
  return (
    <ProfileSection
      title="Your data"
      about="Everything we hold about you, as a JSON file: profile, listings, orders, payments, reports, photos, sessions and activity."
    >
      <CallButton
        size="medium"
        className="self-start"
        call={readOwnData}
        request={{}}
        onSuccess={(data) =>
          downloadFile("account-data.json", JSON.stringify(data, null, 2), "application/json")
        }
      >
        Download my data
      </CallButton>
    </ProfileSection>
  );
}

export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  const remove = useDeleteAccount();
  const confirmIdentity = useConfirmIdentity(confirmToFirebase);
  const close = () => setAsking(false);
  const removeAccount = () =>
    remove.mutate(undefined, {
      onError: (error) => {
        close();
        confirmIdentity.ask(error, removeAccount);
      },
    });
  return (
    <ProfileSection
      title="Delete your account"
      about="Your listings are removed right away, and your name, email address and phone number after 30 days. You can't delete your account while a paid deal, a complaint or a refund is unfinished, or while you owe us money. You can't use this email address for a new account for 30 days."
    >
      <FormMessage message={needsConfirmation(remove.error) ? undefined : remove.error?.message} />
      <Button look="danger" className="self-start" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      {asking && (
        <ConfirmDialog
          {...deletionTexts("your account")}
          busy={remove.isPending}
          onConfirm={removeAccount}
          onCancel={close}
        />
      )}
      {confirmIdentity.dialog}
    </ProfileSection>
  );
}

function useDeleteAccount() {
  const leave = useAfterSignOut("/account-deleted");
  return useMutationOnce({
    mutationFn: async () => {
      const firebase = usesFirebase() ? await firebaseClient() : undefined;
      await firebase?.requireRecentSignIn();
      await browserApi(deleteAccount, {});
      if (firebase) return await firebase.deleteIdentity().catch(() => false);
      // Deleting the account ended the session. This call removes the browser's session cookie.
      await endSession().catch(() => {});
      return true;
    },
    onSuccess: async (isLoginDeleted) => {
      if (!isLoginDeleted)
        toast.error(
          "We couldn't delete your login at Google's Firebase. Write to our support team to have it deleted too.",
        );
      await leave();
    },
  });
}

/** Confirms the password to Firebase, which requires a recent confirmation to delete an account. */
async function confirmToFirebase(password: string): Promise<void> {
  if (usesFirebase()) await (await firebaseClient()).confirmPassword(password).catch(() => {});
}
