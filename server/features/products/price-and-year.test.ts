import { expect } from "vitest";
import { addProduct, addProductForm, listSellerProducts } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { draftListing, listing } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";

const test = shopTest().extend("draft", { scope: "file" }, ({ seller }) => draftListing(seller));

const own = (seller: Person) =>
  seller.call(listSellerProducts, { params: { email: seller.email } });

const fields = {
  resale_price: "resalePrice",
  original_price: "originalPrice",
  yearOf_purchase: "purchaseYear",
  use_duration: "duration",
} as const;
const saidOfPrice = (name: string): [unknown, string, string][] => [
  [undefined, "", `${name} is required.`],
  ["four", "four", `${name} must be a number, such as 450 or 449.99.`],
  [0.5, "0.5", `${name} can't be less than $1.`],
  [-0.001, "-0.001", `${name} can't be less than $1.`],
  [1e9, "1e9", `${name} can't be more than $100,000.`],
  [10.999, "10.999", `${name} can have at most two decimals, such as 449.99.`],
];
const said: Record<keyof typeof fields, [unknown, string, string][]> = {
  resale_price: saidOfPrice("Resale price"),
  original_price: saidOfPrice("Original price"),
  yearOf_purchase: [
    [undefined, "", "Year of purchase is required."],
    ["new", "new", "Year of purchase must be a whole number, such as 2022."],
    [2020.5, "2020.5", "Year of purchase must be a whole number, such as 2022."],
    [1984, "1984", "Year of purchase can't be before 1985."],
  ],
  use_duration: [
    [undefined, "", "Duration of use is required."],
    ["two", "two", "Duration of use must be a whole number of months, such as 18."],
    [1.5, "1.5", "Duration of use must be a whole number of months, such as 18."],
    [-1, "-1", "Duration of use can't be less than 0 months."],
    [601, "601", "Duration of use can't be more than 600 months."],
  ],
};
for (const [field, cases] of Object.entries(said) as [
  keyof typeof fields,
  typeof said.use_duration,
][])
  for (const [sent, typed, sentence] of cases)
    test(`server and form reject ${field} ${typed || "missing"} with the same message: ${sentence}`, async ({
      seller,
      draft,
    }) => {
      const refused = await errorOf(seller.call(addProduct, { body: { ...draft, [field]: sent } }));
      expect(refused).toMatchObject({ status: 400, fields: { [field]: sentence } });
      const inForm = addProductForm.shape[fields[field]].safeParse(typed);
      expect(inForm.error?.issues.map(({ message }) => message)).toEqual([sentence]);
    });

test("a listing accepts prices and years at the ends of their ranges", async ({ shop, seller }) => {
  const year = shop.clock.now().getUTCFullYear();
  const ends = { resale_price: 1, original_price: 100_000, use_duration: 600 };
  for (const yearOf_purchase of [1985, year]) {
    const id = await listing(seller, { ...ends, yearOf_purchase });
    expect(await own(seller)).toContainEqual(
      expect.objectContaining({ _id: id, ...ends, yearOf_purchase }),
    );
  }
});

for (const ahead of [1, 100, 1e12])
  test(`a year of purchase ${ahead} years ahead is rejected with a message that names the last possible year`, async ({
    shop,
    seller,
    draft,
  }) => {
    const year = shop.clock.now().getUTCFullYear();
    const body = { ...draft, yearOf_purchase: year + ahead };
    const sentence = `Year of purchase can't be after ${year}.`;
    const refused = await errorOf(seller.call(addProduct, { body }));
    expect(refused).toMatchObject({ status: 400, fields: { yearOf_purchase: sentence } });
  });
