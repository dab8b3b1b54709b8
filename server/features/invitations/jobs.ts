import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { rewardInvitations } from "../invitation-lifecycle/reward-invitations.ts";

export const invitationJobs = defineJobs({
  rewardInvitations: { run: rewardInvitations, schedule: everyMinute },
});
