import { listAuditLog } from "#contract/audit.ts";
import { listed, type Router } from "../../http/route-registration.ts";
import { readAuditLog } from "./audit-log.ts";

export function auditLogRoutes({ route }: Router): void {
  route(listAuditLog, async ({ query, tx }) => listed(await readAuditLog(tx, query)));
}
