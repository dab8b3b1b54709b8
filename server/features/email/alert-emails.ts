import { formatPrice, toDollars } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import type { EmailContent } from "../../email/email-queue.ts";

/** What happened to a saved laptop. `back`: on sale again. */
export type SavedProductNews = {
  /** Null: it must not be shown. */
  name: string | null;
  what: "cheaper" | "back" | "sold" | "removed";
  cents: number;
  knownCents: number;
};

type Recipient = { name: string; email: string };
type Links = { url: string; unsubscribeUrl: string };

/** An email names this many laptops. */
const mostNamed = 20;

export function savedProductsEmail(
  { name, email }: Recipient,
  { news, url, unsubscribeUrl }: { news: SavedProductNews[] } & Links,
): EmailContent {
  const lines = news.slice(0, mostNamed).map(lineOf);
  return {
    to: email,
    subject: news.length === 1 ? "News about a laptop you saved" : "News about laptops you saved",
    paragraphs: [`Hi ${name},`, ...lines, ...andMore(news.length)],
    action: { label: "View saved laptops", url },
    actionAfter: 1 + lines.length + andMore(news.length).length,
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

function andMore(count: number): string[] {
  return count > mostNamed ? [`And ${count - mostNamed} more.`] : [];
}

type FoundLaptop = { name: string; cents: number };
type Found = { label: string; laptops: FoundLaptop[] } & Links;

/** About new laptops that match a saved search. */
export function savedSearchEmail(
  { name, email }: Recipient,
  { label, laptops, url, unsubscribeUrl }: Found,
): EmailContent {
  const count = laptops.length === 1 ? "1 new laptop" : `${laptops.length} new laptops`;
  const about = hasAddress(label) ? "your saved search" : `“${label}”`;
  const lines = laptops
    .slice(0, mostNamed)
    .map((laptop) => `${nameOf(laptop.name)} for ${formatPrice(toDollars(laptop.cents))}`);
  return {
    to: email,
    subject: `${count} for your saved search`,
    paragraphs: [`Hi ${name},`, `${count} for ${about}:`, ...lines, ...andMore(laptops.length)],
    action: { label: "View results", url },
    actionAfter: 2 + lines.length + andMore(laptops.length).length,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about this search",
  };
}

type Unread = { laptop: string | null; unread: number } & Links;

/** About unread messages. It names neither the other member nor what they wrote. */
export function messagesEmail(
  { name, email }: Recipient,
  { laptop, unread, url, unsubscribeUrl }: Unread,
): EmailContent {
  const about = laptop === null || hasAddress(laptop) ? "a laptop" : laptop;
  const news = unread === 1 ? "a new message" : `${unread} new messages`;
  return {
    to: email,
    subject: `You have ${news} about ${about}`,
    paragraphs: [
      `Hi ${name},`,
      `You have ${news} about ${laptop === null ? "a laptop" : nameOf(laptop)}. Read and answer on Secondlap.`,
    ],
    action: { label: "Read messages", url },
    actionAfter: 2,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about messages",
  };
}

/** For a listing whose name must not be shown. */
export const unnamedLaptop = "A laptop";

/** A listing's name, unless a mail client could turn part of it into a link. */
export function nameOf(name: string | null): string {
  return name === null || hasAddress(name) ? unnamedLaptop : `“${name}”`;
}
