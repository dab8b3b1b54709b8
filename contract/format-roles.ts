import { mayAct, type StaffAccess, type StaffRole } from "./roles.ts";

// Not in roles.ts, because every page loads that file.
const people: Record<StaffRole, string> = {
  owner: "owners",
  moderation: "moderators",
  support: "support staff",
  finance: "finance staff",
};

/** Names the roles with this access, in a sentence. Members who aren't admins see “admins”. */
export function formatRoles(role: StaffRole | null, access: StaffAccess): string {
  if (role === null || access === "admin") return "admins";
  const roles = (Object.keys(people) as StaffRole[]).filter((one) => mayAct(one, access));
  return new Intl.ListFormat("en-US").format(roles.map((one) => people[one]));
}
