import type { SellerCheck } from "#contract/verification.ts";

type Checked = { verify: boolean; confirmed_at: Date | null; identity_checked_at: Date | null };

/** What was checked of a seller, for everyone; nothing of one who is not verified. */
export function checksOf({ verify, confirmed_at, identity_checked_at }: Checked): SellerCheck[] {
  if (!verify) return [];
  return [
    "admin",
    ...(confirmed_at ? (["email"] as const) : []),
    ...(identity_checked_at ? (["identity"] as const) : []),
  ];
}
