import { formatPrice, toDollars } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import type { EmailContent } from "../../email/email-queue.ts";
import { nameOf } from "../../email/listing-names.ts";
import { nameFirst } from "../../email/name-first.ts";

type FoundLaptop = { name: string; cents: number };
type Found = { label: string; laptops: FoundLaptop[]; url: string; unsubscribeUrl: string };

/** About new laptops that match a saved search. */
export function savedSearchEmail(
  { name, email }: { name: string; email: string },
  { label, laptops, url, unsubscribeUrl }: Found,
): EmailContent {
  const count = laptops.length === 1 ? "1 new laptop" : `${laptops.length} new laptops`;
  const about = hasAddress(label) ? "your saved search" : `“${label}”`;
  const lines = nameFirst(
    laptops.map((laptop) => `${nameOf(laptop.name)} for ${formatPrice(toDollars(laptop.cents))}`),
  );
  return {
    to: email,
    subject: `${count} for your saved search`,
    paragraphs: [`Hi ${name},`, `${count} for ${about}:`, ...lines],
    action: { label: "View results", url },
    actionAfter: 2 + lines.length,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about this search",
  };
}
