import { formatPrice, toDollars } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import type { EmailContent } from "../../email/email.ts";
import { nameFirst, nameOf } from "../../email/email-phrases.ts";

/** `back`: on sale again. */
export type SavedProductNews = {
  /** Null if the name must not be shown. */
  name: string | null;
  what: "cheaper" | "back" | "sold" | "removed";
  cents: number;
  knownCents: number;
};

type News = { news: SavedProductNews[]; url: string; unsubscribeUrl: string };

export function savedProductsEmail(
  { name, email }: { name: string; email: string },
  { news, url, unsubscribeUrl }: News,
): EmailContent {
  const lines = nameFirst(news.map(lineOf));
  return {
    to: email,
    recipient: name,
    name: "saved-laptops-changed",
    values: { laptops: news.length === 1 ? "a laptop" : "laptops" },
    paragraphs: lines,
    action: { label: "View saved laptops", url },
    actionAfter: lines.length,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about saved laptops",
  };
}

function lineOf({ name, what, cents, knownCents }: SavedProductNews): string {
  const laptop = nameOf(name);
  const price = formatPrice(toDollars(cents));
  if (what === "sold") return `${laptop} has been sold.`;
  if (what === "removed") return `${laptop} is no longer for sale.`;
  if (what === "back") return `${laptop} is back on sale for ${price}.`;
  return `${laptop} is now ${price}. It was ${formatPrice(toDollars(knownCents))}.`;
}

type FoundLaptop = { name: string; cents: number };
type Found = { label: string; laptops: FoundLaptop[]; url: string; unsubscribeUrl: string };

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
    recipient: name,
    name: "saved-search-matched",
    values: { laptops: count },
    paragraphs: [`${count} for ${about}:`, ...lines],
    action: { label: "View results", url },
    actionAfter: 1 + lines.length,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about this search",
  };
}
