import type { ReactNode } from "react";
import { mayAct, type StaffAccess, type StaffRole } from "#contract/roles.ts";
import { categoriesPath, staffPath } from "#web/admin-paths.ts";
import { paths } from "#web/paths.ts";
import type { Entry } from "./SideMenu.tsx";

const entries: [StaffAccess, Entry][] = [
  ["admin", [paths.allSellers(), "All Sellers", "store"]],
  ["admin", [paths.allBuyers(), "All Buyers", "users"]],
  ["moderation", [paths.reportedItems(), "Reported Items", "flag", /d\/(messages|reviews)/]],
  ["moderation", [paths.listingsToCheck(), "To Check", "check", /d\/invitations/]],
  ["support", [paths.complaints(), "Complaints", "scale", /d\/complaint\//]],
  ["admin", [paths.needsYou(), "Needs You", "hand"]],
  ["finance", [paths.payments(), "Payments", "credit-card", /d\/(ledger|deal)/]],
  ["admin", [paths.overview(), "Overview", "chart-column"]],
  ["owner", [paths.health(), "Health", "activity"]],
  ["owner", [paths.auditLog(), "Audit Log", "scroll-text"]],
  ["owner", [paths.shop(), "Shop", "sliders-horizontal", /p\/first/]],
  ["owner", [categoriesPath, "Categories", "tag"]],
  ["owner", [staffPath, "Staff", "key-round"]],
];

type AdminEntriesProps = {
  role: StaffRole | null;
  children: (entries: Entry[]) => ReactNode;
};

export default function SideMenuAdminEntries({ role, children }: AdminEntriesProps) {
  const allowed = entries.filter(([access]) => mayAct(role, access)).map(([, entry]) => entry);
  return children([...allowed, [paths.profile(), "Profile", "user-round"]]);
}
