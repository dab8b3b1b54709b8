import { defineJobs, everyMinute, type Payloads } from "../../jobs/define-jobs.ts";
import { rewardInvitations } from "../invitation-lifecycle/reward-invitations.ts";

export const invitationJobs = defineJobs({
  rewardInvitations: { run: rewardInvitations, schedule: everyMinute },
});

declare global {
  namespace GraphileWorker {
    interface Tasks extends Payloads<typeof invitationJobs> {}
  }
}
