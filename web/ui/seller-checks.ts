import type { SellerCheck } from "#contract/verification.ts";

export type Checks = readonly SellerCheck[];

const texts: Record<SellerCheck, string> = {
  admin: "checked by our team",
  email: "email address confirmed",
  identity: "identity checked by Stripe",
};

/** What was checked of a verified seller, in a sentence without its full stop. */
export function checksText(checks: Checks): string {
  return checks.map((check) => texts[check]).join(", ");
}

export function verifiedText(checks: Checks): string {
  return `Verified: ${checksText(checks)}.`;
}
