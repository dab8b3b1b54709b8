import { listAuditLog } from "#contract/audit.ts";
import { type Feature, listed } from "../../http/route-registration.ts";
import { readAuditLog } from "./audit-log.ts";

export function auditLogRoutes({ serve, deps }: Feature): void {
  serve(listAuditLog, async ({ query }) => listed(await readAuditLog(deps.db, query)));
}
