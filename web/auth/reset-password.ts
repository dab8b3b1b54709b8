import { toast } from "#web/ui/toast.ts";
import { resetPassword } from "../api/password-client.ts";
import { useMutationOnce } from "../api/use-mutation-once.ts";
import { useAfterSignOut } from "./session.ts";

/** Resets the password, which ends all of the member's sessions, including this one. */
export function useResetPassword(token: string) {
  const leave = useAfterSignOut();
  return useMutationOnce({
    mutationFn: ({ password }: { password: string }) =>
      resetPassword({ token, newPassword: password }),
    onSuccess: async () => {
      toast.success("Your password has been changed. Log in with the new one.");
      await leave();
    },
  });
}
