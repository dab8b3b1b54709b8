import { defineJobs } from "../../jobs/define-jobs.ts";
import { offerPasswordReset } from "./password-reset.ts";

export const identityJobs = defineJobs({
  offerPasswordReset: {
    run: (deps, { email }: { email: string }) => offerPasswordReset(deps, email),
  },
  deleteHostedAccount: {
    run: async ({ identity }, { accountId }: { accountId: string }) =>
      await identity.deleteHostedAccount?.(accountId),
    callsProvider: true,
  },
});
