import { mayAct, type StaffAccess, type StaffRole } from "./roles.ts";

// A file of its own, because every page loads roles.ts.
const people: Record<StaffRole, string> = {
  owner: "owners",
  moderation: "moderators",
  support: "support staff",
  finance: "finance staff",
};

/** Who has an access, in words for a sentence. Members read only “admins”. */
export function formatRoles(role: StaffRole | null, access: StaffAccess): string {
  if (role === null || access === "admin") return "admins";
  const roles = (Object.keys(people) as StaffRole[]).filter((one) => mayAct(one, access));
  return new Intl.ListFormat("en-US").format(roles.map((one) => people[one]));
}
