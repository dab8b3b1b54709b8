import type { SellerCheck } from "#contract/members.ts";

export type Checks = readonly SellerCheck[];

const texts: Record<SellerCheck, string> = {
  admin: "checked by our team",
  email: "email address confirmed",
  identity: "identity checked by Stripe",
};

/** Lists the checks that a seller passed: "checked by our team, email address confirmed". */
export function checksText(checks: Checks): string {
  return checks.map((check) => texts[check]).join(", ");
}

/** `checksText` as a full sentence, shown beside the "Verified" badge. */
export function checksSentence(checks: Checks): string {
  const text = checksText(checks);
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
