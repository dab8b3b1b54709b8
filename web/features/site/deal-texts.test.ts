import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { afterPayment, beforePayment } from "#contract/deal-texts.ts";

const features = join(import.meta.dirname, "..");

/** Texts that small pages repeat, to avoid loading `contract/deal-texts.ts`. */
test.each([
  ["home/Slides.tsx", `${beforePayment.payWhenSure} ${beforePayment.moneyIsKept}`],
  ["bookings/OrderStatus.tsx", `Paid. ${afterPayment.lookItOver}`],
  ["products/DealStatus.tsx", `Paid. ${afterPayment.handItOver}`],
])("%s repeats a text from contract/deal-texts.ts word for word", async (file, sentence) => {
  expect(await readFile(join(features, file), "utf8")).toContain(`"${sentence}"`);
});
