/** The person or company that runs the shop. Empty parts are hidden. `address` may span lines. */
export type Operator = { name: string; address: string; email: string; registration: string };

/** Separate from shop-settings.ts, so that pages don't load the validation library for it. */
export type Shop = {
  name: string;
  tagline: string;
  announcement?: string;
  operator?: Operator;
  /** If a URL is empty, its icon has no link. */
  social?: Record<"x" | "youtube" | "facebook", string>;
  /** URLs of the shop's own pictures, and of a stylesheet with its own colors. */
  logo?: string;
  icon?: string;
  colors?: string;
  /** Missing for USD. */
  currency?: string;
  /** URL of the picture for link previews. */
  preview?: string;
  /** The page where a new shop's admins start, until the first settings are published. */
  start?: string;
  /** contract/products.ts has the built-in texts. */
  conditions?: Record<"Excellent" | "Good" | "Fair", string>;
  verifiedSellersOnly?: true;
  /** Set if the page isn't public, because it shows a draft or a closed shop. */
  isAdminView?: true;
};

export function withShopName(text: string, { name }: Pick<Shop, "name">): string {
  return text.replaceAll("{shop}", () => name);
}

export function operatorLines({ name, address, registration }: Operator): string[] {
  return [name, ...address.split("\n"), registration].filter((line) => line !== "");
}

/** Holds the id of a draft, which pages then show to this browser. */
export const previewCookie = "shop-preview";
