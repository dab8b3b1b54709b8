import { formatPrice, toDollars } from "#contract/price.ts";
import type { EmailContent } from "../../email/email-queue.ts";
import { nameOf } from "../../email/listing-names.ts";
import { nameFirst } from "../../email/name-first.ts";

/** What happened to a saved laptop. `back`: on sale again. */
export type SavedProductNews = {
  /** Null: it must not be shown. */
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
    subject: news.length === 1 ? "News about a laptop you saved" : "News about laptops you saved",
    paragraphs: [`Hi ${name},`, ...lines],
    action: { label: "View saved laptops", url },
    actionAfter: 1 + lines.length,
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
