/** The person or company that runs the shop. Empty parts are hidden. `address` may span lines. */
export type Operator = { name: string; address: string; email: string; registration: string };

/**
 * The owner's settings that every page shows. Pages import this file, not shop-settings.ts, because
 * this file needs no validation library. Settings that the owner has not set are missing.
 */
export type Shop = {
  name: string;
  tagline: string;
  /** Shown above every page. */
  announcement?: string;
  operator?: Operator;
  /** URLs of the shop's profiles on other sites. If a URL is empty, its icon has no link. */
  social?: Record<"x" | "youtube" | "facebook", string>;
  /** URLs of the shop's own pictures, and of a stylesheet with its own colors. */
  logo?: string;
  icon?: string;
  colors?: string;
  /** The code of the currency, unless it is USD. */
  currency?: string;
  /** URL of the picture in the shop's link previews. */
  preview?: string;
  /** The page where a new shop's admins start, until an owner publishes settings. */
  start?: string;
  /** How the owner explains each condition. contract/products.ts has the built-in texts. */
  conditions?: Record<"Excellent" | "Good" | "Fair", string>;
  /** Whether only verified sellers may list laptops. */
  verifiedSellersOnly?: true;
  /** Whether only admins see the page, because it shows a draft or a closed shop. */
  isAdminView?: true;
};

/** Replaces `{shop}` in a text with the shop's name. */
export function withShopName(text: string, { name }: Pick<Shop, "name">): string {
  return text.replaceAll("{shop}", () => name);
}

/** The operator's name, address and registration number as lines, for footers and emails. */
export function operatorLines({ name, address, registration }: Operator): string[] {
  return [name, ...address.split("\n"), registration].filter((line) => line !== "");
}

/** The cookie with the id of a draft. Pages show that draft to a browser that has the cookie. */
export const previewCookie = "shop-preview";
