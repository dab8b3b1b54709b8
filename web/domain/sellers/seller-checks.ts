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

/** As a sentence of its own, beside the badge that says "Verified". */
export function checksSentence(checks: Checks): string {
  const text = checksText(checks);
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
