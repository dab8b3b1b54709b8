import { deleteAccount } from "#contract/account.ts";
import { toast } from "#web/ui/toast.ts";
import { browserApi, useMutationOnce } from "../api/api.ts";
import { endSession, firebaseClient, usesFirebase } from "../api/identity-client.ts";
import { useAfterSignOut } from "./session.ts";

export function useDeleteAccount() {
  const leave = useAfterSignOut("/account-deleted");
  return useMutationOnce({
    mutationFn: () => (usesFirebase() ? deleteWithFirebase() : deleteEmbedded()),
    onSuccess: async ({ loginRemains }) => {
      if (loginRemains)
        toast.error(
          "We couldn't delete your login at Google's Firebase. Write to our support team to have it deleted too.",
        );
      await leave();
    },
  });
}

async function deleteEmbedded() {
  await browserApi(deleteAccount, {});
  // The server has ended the session. This removes the session cookie from the browser.
  await endSession().catch(() => {});
  return { loginRemains: false };
}

async function deleteWithFirebase() {
  const { requireRecentSignIn, deleteIdentity } = await firebaseClient();
  await requireRecentSignIn();
  await browserApi(deleteAccount, {});
  const deleted = await deleteIdentity().catch(() => false);
  return { loginRemains: !deleted };
}

/** Confirms the password to Firebase, which requires a recent confirmation to delete an account. */
export async function confirmToFirebase(password: string): Promise<void> {
  if (usesFirebase()) await (await firebaseClient()).confirmPassword(password).catch(() => {});
}
