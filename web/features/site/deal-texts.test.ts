import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterPayment, beforePayment } from "#contract/deal-texts.ts";

const features = join(import.meta.dirname, "..");

/** Sentences that small pages repeat, to avoid loading another file. */
test.each([
  ["home/slides.ts", `${beforePayment.payWhenSure} ${beforePayment.moneyIsKept}`],
  ["bookings/OrderStatus.tsx", `Paid. ${afterPayment.lookItOver}`],
  ["products/DealStatus.tsx", `Paid. ${afterPayment.handItOver}`],
])("%s contains the same sentence about a deal as the other pages", async (file, sentence) => {
  expect(await readFile(join(features, file), "utf8")).toContain(`"${sentence}"`);
});
