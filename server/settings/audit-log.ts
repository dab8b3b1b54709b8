import { z } from "zod";

const years =
  "must be a whole number of years from 3 to 100: disputes, refunds and rewards are decided by entries of two years";

/** Without AUDIT_LOG_YEARS, the audit log is kept forever (decisions/audit-log). */
export const auditLogFields = {
  AUDIT_LOG_YEARS: z.coerce.number(years).int(years).min(3, years).max(100, years).optional(),
};
