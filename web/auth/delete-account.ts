import { deleteAccount } from "#contract/account.ts";
import { toast } from "#web/ui/toast.ts";
import { browserApi } from "../api/api.ts";
import { endSession } from "../api/identity-client.ts";
import { useMutationOnce } from "../api/use-mutation-once.ts";
import { useAfterSignOut } from "./session.ts";

export function useDeleteAccount() {
  const leave = useAfterSignOut();
  return useMutationOnce({
    mutationFn: async () => {
      await browserApi(deleteAccount, {});
      // The session has already ended; this clears its cookie.
      await endSession().catch(() => {});
    },
    onSuccess: async () => {
      toast.success("Your account has been deleted.");
      await leave();
    },
  });
}
