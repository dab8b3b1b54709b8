import { isPlausiblePrice, type Prices } from "./price.ts";

type Stated = Prices & {
  /** Months. */
  use_duration: number;
  yearOf_purchase: number;
};

/** What to ask a seller about numbers that are probably typos. */
export function questionsAbout(stated: Stated, now: Date): string[] {
  const { use_duration, yearOf_purchase } = stated;
  const monthsOwned = (now.getUTCFullYear() - yearOf_purchase + 1) * 12;
  return [
    ...(isPlausiblePrice(stated) ? [] : [questionAboutPrices(stated)]),
    ...(use_duration > monthsOwned
      ? [
          `It has been used for ${use_duration} months, which is longer than since ${yearOf_purchase}. Is that right?`,
        ]
      : []),
  ];
}

function questionAboutPrices({ resale_price, original_price }: Prices): string {
  return resale_price > original_price
    ? "Resale price is more than it cost new. Is that right?"
    : "Resale price is less than a twentieth of what it cost new. Is that right?";
}
