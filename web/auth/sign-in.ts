import type { z } from "zod";
import type { signUpForm } from "#contract/passwords.ts";
import { toast } from "#web/ui/toast.ts";
import { registerMember, rememberAccountType } from "../api/access-token.ts";
import { useMutationOnce } from "../api/api.ts";
import { readIdentity } from "../api/identity-client.ts";
import { signUpWithEmail } from "../api/password-client.ts";
import { browserQueries } from "../api/query-client.ts";
import { clearDraft } from "../ui/drafts.ts";
import { stopWatchingSignInPopup } from "./provider-sign-in.ts";
import { sessionQuery } from "./session.ts";

export function useSignUp() {
  return useSignInMutation(async ({ accountType, ...credentials }: z.output<typeof signUpForm>) => {
    rememberAccountType(credentials.email, accountType);
    await signUpWithEmail(credentials).catch(continueIfSignedUpAs(credentials.email));
    await registerMember(credentials);
  }, "User Created Successfully.");
}

/** An earlier attempt may have created the identity but not the membership. */
function continueIfSignedUpAs(email: string) {
  return async (error: Error) => {
    const identity = await readIdentity();
    if (identity?.email !== email) throw error;
  };
}

/** A mutation that signs in and loads the session, unless a second step is required. */
export function useSignInMutation<V>(
  enter: (values: V) => Promise<unknown>,
  success: string,
  onSecondStep = () => {},
) {
  return useMutationOnce({
    mutationFn: async (values: V) => {
      stopWatchingSignInPopup();
      const entered = await enter(values);
      if (entered !== "second step") await browserQueries.query({ ...sessionQuery, staleTime: 0 });
      return entered;
    },
    onSuccess: (entered) => {
      if (entered === "second step") return onSecondStep();
      // Other drafts stay: the member's session may have ended while they were typing.
      for (const form of ["login", "sign-up"]) clearDraft(form);
      toast.success(success);
    },
  });
}
