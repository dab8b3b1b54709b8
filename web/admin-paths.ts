import { paths, withQuery } from "#web/paths.ts";

export function auditLogPath(filter: Partial<Record<"email" | "object" | "objectId", string>>) {
  return withQuery(paths.auditLog(), filter);
}

export function paymentsPath(search: string) {
  return withQuery(paths.payments(), { search });
}

export function sellersPath(search: string) {
  return withQuery(paths.allSellers(), { search });
}

export function dealRecordPath(bookingId: string) {
  return `/dashboard/deal/${bookingId}`;
}

export function ledgerPath(search?: string) {
  return withQuery("/dashboard/ledger", { search });
}

export const staffPath = "/dashboard/staff";
export const categoriesPath = "/dashboard/shop/categories";
export const firstStepsPath = "/dashboard/shop/first-steps";
