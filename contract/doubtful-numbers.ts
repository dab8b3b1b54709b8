import { isPlausiblePrice, type Prices } from "./price.ts";

type Stated = Prices & {
  /** In months. */
  use_duration: number;
  yearOf_purchase: number;
};

/** Numbers that are probably typos: the prices or the duration of use. */
export type Doubt = "price" | "use";

export function doubtsAbout(stated: Stated, now: Date): Doubt[] {
  const monthsOwned = (now.getUTCFullYear() - stated.yearOf_purchase + 1) * 12;
  return [
    ...(isPlausiblePrice(stated) ? [] : ["price" as const]),
    ...(stated.use_duration > monthsOwned ? ["use" as const] : []),
  ];
}

export function questionsAbout(stated: Stated, now: Date): string[] {
  return doubtsAbout(stated, now).map((doubt) =>
    doubt === "price" ? questionAboutPrices(stated) : questionAboutUse(stated),
  );
}

function questionAboutUse({ use_duration, yearOf_purchase }: Stated): string {
  return `It has been used for ${use_duration} months, which is longer than since ${yearOf_purchase}. Is that right?`;
}

function questionAboutPrices({ resale_price, original_price }: Prices): string {
  return resale_price > original_price
    ? "Resale price is more than it cost new. Is that right?"
    : "Resale price is less than a twentieth of what it cost new. Is that right?";
}
