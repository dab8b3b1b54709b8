import { deleteAccount } from "#contract/account.ts";
import { toast } from "#web/ui/toast.ts";
import { browserApi } from "../api/api.ts";
import { endSession, firebaseClient, usesFirebase } from "../api/identity-client.ts";
import { useMutationOnce } from "../api/use-mutation-once.ts";
import { useAfterSignOut } from "./session.ts";

export function useDeleteAccount() {
  const leave = useAfterSignOut();
  return useMutationOnce({
    mutationFn: async () => {
      await browserApi(deleteAccount, {});
      // The session has already ended; this makes the browser forget it.
      const forget = usesFirebase() ? (await firebaseClient()).deleteIdentity : endSession;
      await forget().catch(() => {});
    },
    onSuccess: async () => {
      toast.success("Your account has been deleted.");
      await leave();
    },
  });
}
