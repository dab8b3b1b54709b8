/** Not in `paths.ts`, which every page loads: only admins come here. */
export function ledgerPath(search?: string): string {
  return `/dashboard/ledger${search === undefined ? "" : `?${new URLSearchParams({ search })}`}`;
}
