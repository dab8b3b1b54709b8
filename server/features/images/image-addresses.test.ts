import { expect } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { editProduct, listSellerProducts } from "#contract/products.ts";
import { everyAnswer } from "../../testing/every-answer.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, draftListing, listing } from "../../testing/marketplace.ts";

const test = shopTest();

const relative = /"\/(?:images|brands)\/[^"]+"/g;

test("§7.6 §7.7 §7.8 §7.11: every image URL in API responses is absolute", async ({
  shop,
  seller,
  buyer,
  admin,
}) => {
  const { publicUrl } = shop.deps.config;
  const { img } = await draftListing(seller);
  const product = await listing(seller, { img });
  const [category] = await buyer.call(listCategories, {});
  const booking = await bookLaptop(buyer, product);
  const ids = [product, booking, category?._id ?? "", seller.email, buyer.email];
  for (const reader of [undefined, buyer, seller, admin]) {
    const answers = await everyAnswer(shop, ids, reader);
    expect(answers.flatMap((answer) => answer.match(relative) ?? [])).toEqual([]);
    expect(answers.join()).toContain(`"${publicUrl}/brands/`);
    expect(answers.join()).toContain(`"${img}"`);
  }
  expect(img).toMatch(new RegExp(`^${publicUrl}/images/[0-9a-f]{64}\\.jpg$`));
  expect((await fetch(img)).status).toBe(200);
});

test("a listing accepts image URLs from API responses and leaves text that looks like an image path unchanged", async ({
  seller,
}) => {
  const id = await listing(seller);
  const listed = await seller.call(listSellerProducts, { params: { email: seller.email } });
  const img = listed.find(({ _id }) => _id === id)?.img ?? "";
  const path = `/images/${"ab".repeat(32)}.jpg`;
  const description = `See "${path}" and ${path}`;
  await seller.call(editProduct, { params: { id }, body: { img, images: [img], description } });
  expect(await seller.call(readProduct, { params: { id } })).toMatchObject({
    img,
    images: [img],
    description,
  });
});
