import { defineJobs } from "../../jobs/define-jobs.ts";
import { expireHold } from "../money/end-hold.ts";

export const bookingJobs = defineJobs({
  expireHold: {
    run: (deps, { bookingId }: { bookingId: string }) => expireHold(deps, bookingId),
    callsProvider: true,
  },
});
