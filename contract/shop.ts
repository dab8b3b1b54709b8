/** The person or company that runs the shop. Empty parts are not shown. `address` may have lines. */
export type Operator = { name: string; address: string; email: string; registration: string };

/**
 * The owner's settings that every page shows (contract/shop-settings.ts). Pages import this file,
 * because it needs no validation library. What the owner has not set is missing.
 */
export type Shop = {
  name: string;
  tagline: string;
  /** Shown above every page. */
  announcement?: string;
  operator?: Operator;
  /** The addresses of the shop's profiles. Empty ones have an icon without a link. */
  social?: Record<"x" | "youtube" | "facebook", string>;
  /** The addresses of the shop's own pictures and of its colors as CSS. */
  logo?: string;
  icon?: string;
  colors?: string;
  /** The picture that is shown where someone shares a link to the shop. */
  preview?: string;
  /** Whether the page shows a draft of the settings. */
  isDraft?: true;
};

/** Replaces `{shop}` in a text by the shop's name. */
export function withShopName(text: string, { name }: Pick<Shop, "name">): string {
  return text.replaceAll("{shop}", () => name);
}

/** The operator's name, address and registration number as lines, for footers and emails. */
export function operatorLines({ name, address, registration }: Operator): string[] {
  return [name, ...address.split("\n"), registration].filter((line) => line !== "");
}

/** The cookie with the id of the draft that every page then shows to this browser. */
export const previewCookie = "shop-preview";
