import { defineJobs } from "../../jobs/define-jobs.ts";
import { cleanUp } from "./clean-up.ts";
import { keepAuditLog, keepProductViews } from "./monthly-partitions.ts";

export const retentionJobs = defineJobs({
  cleanUp: { run: cleanUp, schedule: { at: "17 * * * *", attempts: 3 } },
  // The nightly backup locks the partitions for hours, so these jobs need many attempts.
  keepAuditLog: { run: keepAuditLog, schedule: { at: "47 2 * * *", attempts: 11 } },
  keepProductViews: { run: keepProductViews, schedule: { at: "52 2 * * *", attempts: 11 } },
});
