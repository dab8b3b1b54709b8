import { defineJobs, everyMinute } from "../../jobs/define-jobs.ts";
import { expireCredits } from "./expire-credits.ts";
import { rewardInvitations } from "./reward-invitations.ts";

export const invitationJobs = defineJobs({
  rewardInvitations: { run: rewardInvitations, schedule: everyMinute },
});

export const creditJobs = defineJobs({
  expireCredits: { run: expireCredits, schedule: { at: "33 * * * *", attempts: 3 } },
});
