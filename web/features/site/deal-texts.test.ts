import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterPayment, beforePayment } from "#contract/deal-texts.ts";

const features = join(import.meta.dirname, "..");

/** Pages that every byte counts on repeat the sentences instead of loading one more file. */
test.each([
  ["home/slides.tsx", `${beforePayment.payWhenSure} ${beforePayment.moneyIsKept}`],
  ["bookings/OrderStatus.tsx", `Paid. ${afterPayment.lookItOver}`],
  [
    "bookings/PaymentCell.tsx",
    `Confirm only once you have it in your hands. ${afterPayment.sayWhatIsWrong}`,
  ],
  ["products/DealStatus.tsx", `Paid. ${afterPayment.handItOver}`],
])("%s tells the story of a deal as the other pages do", async (file, sentence) => {
  expect(await readFile(join(features, file), "utf8")).toContain(`"${sentence}"`);
});
