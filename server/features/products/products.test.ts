import { describe, expect } from "vitest";
import { cancelBooking } from "#contract/bookings.ts";
import { listCategories, listCategoryProducts } from "#contract/categories.ts";
import {
  addProduct,
  addProductForm,
  deleteProduct,
  listAdvertisedProducts,
  listOwnProductIds,
  listSellerProducts,
  toggleAdvertise,
} from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { copyLaptop } from "../../testing/insert-laptop.ts";
import { bookLaptop, draftListing, listing } from "../../testing/marketplace.ts";
import { anyCategory, createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest()
  .extend("seller", { scope: "file" }, ({ shop }) =>
    member(shop, { accountType: "seller", verify: true }),
  )
  .extend("draft", { scope: "file" }, ({ seller }) => draftListing(seller));

const own = (seller: Person) =>
  seller.call(listSellerProducts, { params: { email: seller.email } });

describe("listing a laptop", () => {
  test("§7.8 §3.2: a new listing is public in its category, without the seller's contact details", async ({
    shop,
    seller,
  }) => {
    const product = await listing(seller, { resale_price: 449.99 });
    const listed = await createVisitor(shop).call(listCategoryProducts, {
      params: { id: await anyCategory(shop) },
    });
    const found = listed.find(({ _id }) => _id === product);
    expect(found).toMatchObject({
      resale_price: 449.99,
      seller_name: seller.name,
      verify: true,
      sales_status: "available",
    });
    expect(found).not.toHaveProperty("sellerEmail");
    expect(found).not.toHaveProperty("mobile_number");
  });

  test("§7.9 §7.11 §3.2: a new listing ignores the seller, date and status sent by the client", async ({
    shop,
    seller,
  }) => {
    const hostile = {
      sellerEmail: "victim@example.com",
      seller_name: "Victim",
      verify: false,
      advertise: true,
      sales_status: "sold",
      postedAt: "1999-01-01T00:00:00.000Z",
      seller_id: crypto.randomUUID(),
      _id: crypto.randomUUID(),
    };
    const category = (await seller.call(listCategories, {})).at(-1);
    const written = {
      product_categoryId: String(category?._id),
      product_name: "Latitude 7490",
      condition: "Fair",
      resale_price: 211.5,
      original_price: 1433,
      use_duration: 77,
      location: "Bend, OR",
      yearOf_purchase: 2019,
      mobile_number: "541-555-0188",
      description: "The lid is dented.\nWorks.",
      img: (await draftListing(seller)).img,
    } as const;
    const sent = await seller.send(addProduct, { body: { ...written, ...hostile } });
    expect(sent).toMatchObject({ status: 201, body: { acknowledged: true } });
    const { insertedId } = sent.body;
    expect(insertedId).not.toBe(hostile._id);
    const product = (await own(seller)).find(({ _id }) => _id === insertedId);
    expect(product).toMatchObject({
      ...written,
      sellerEmail: seller.email,
      seller_name: seller.name,
      verify: true,
      advertise: false,
      sales_status: "available",
      postedAt: shop.clock.now().toISOString(),
    });
  });

  const required = {
    product_categoryId: "Choose a category.",
    product_name: "Name is Required.",
    condition: "Choose a condition: Excellent, Good or Fair.",
    location: "Location is required.",
    mobile_number: "Mobile number is required.",
    description: "Product description is required.",
    img: "Photo is Required.",
  };

  test("a listing without a required field is rejected with a message for that field, and nothing is stored", async ({
    seller,
    draft,
  }) => {
    const before = (await own(seller)).length;
    for (const [field, message] of Object.entries(required))
      for (const missing of [undefined, ""]) {
        const body = { ...draft, [field]: missing };
        const refused = await errorOf(seller.call(addProduct, { body }));
        expect(refused).toMatchObject({
          status: 400,
          code: "INVALID_INPUT",
          fields: { [field]: message },
        });
      }
    expect((await own(seller)).length).toBe(before);
  });

  const wrong: [string, unknown][] = [
    ["resale_price", "480"],
    ["original_price", "480"],
    ["use_duration", "12"],
    ["yearOf_purchase", "2024"],
    ["resale_price", { $gt: 0 }],
    ["original_price", "NaN"],
    ["mobile_number", "call me"],
    ["mobile_number", "-----"],
    ["mobile_number", "+46 (0)7"],
    ["product_name", "x".repeat(121)],
    ["product_name", "a\u0000b"],
    ["description", ["a"]],
    ["condition", "Mint"],
    ["product_categoryId", "01935a00-0000-7000-8000-00000000ffff"],
  ];

  test("a listing with an invalid field is rejected with a message for that field", async ({
    seller,
    draft,
  }) => {
    for (const [field, value] of wrong) {
      const body = { ...draft, [field]: value };
      const refused = await errorOf(seller.call(addProduct, { body }));
      expect(refused).toMatchObject({
        status: 400,
        fields: { [field]: expect.stringMatching(/[a-z].*\.$/i) },
      });
    }
  });
});

async function advertised(shop: Shop): Promise<string[]> {
  const query = { limit: 100 };
  const listed = await createVisitor(shop).call(listAdvertisedProducts, { query });
  return listed.map(({ _id }) => _id);
}

describe("advertising", () => {
  test("§7.12 §7.7 §4.5: an advertised laptop appears among the advertised products, and repeating the request fails with STALE", async ({
    shop,
    seller,
  }) => {
    const id = await listing(seller);
    expect(await advertised(shop)).not.toContain(id);
    const body = { id, advertiseStatus: false };
    expect(await seller.call(toggleAdvertise, { body })).toMatchObject({
      advertise: true,
      modifiedCount: 1,
    });
    await expect.poll(() => advertised(shop)).toContain(id);
    expect(await errorOf(seller.call(toggleAdvertise, { body }))).toMatchObject({
      status: 409,
      code: "STALE",
    });
  });

  test("only one of two concurrent requests to advertise a laptop succeeds", async ({ seller }) => {
    const id = await listing(seller);
    const body = { id, advertiseStatus: false };
    const asked = await Promise.allSettled(
      [1, 2].map(() => seller.call(toggleAdvertise, { body })),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("deleting", () => {
  test("§7.13: only the seller and admins can delete an available product", async ({
    shop,
    seller,
  }) => {
    const [first, second] = [await listing(seller), await listing(seller)];
    const other = await member(shop, { accountType: "seller" });
    expect(await errorOf(other.call(deleteProduct, { params: { id: first } }))).toMatchObject({
      status: 404,
    });
    expect(await seller.call(deleteProduct, { params: { id: first } })).toEqual({
      acknowledged: true,
      deletedCount: 1,
    });
    const admin = await member(shop, { isAdmin: true });
    expect(await admin.call(deleteProduct, { params: { id: second } })).toMatchObject({
      deletedCount: 1,
    });
    expect(await errorOf(seller.call(deleteProduct, { params: { id: first } }))).toMatchObject({
      status: 404,
    });
  });

  test("a held product can't be deleted, but can be once the hold has expired, even before the expiry job runs", async ({
    shop,
    seller,
  }) => {
    const id = await listing(seller);
    const buyer = await member(shop);
    await bookLaptop(buyer, id);
    expect(await errorOf(seller.call(deleteProduct, { params: { id } }))).toMatchObject({
      status: 409,
      code: "IN_USE",
    });
    shop.clock.advance(shop.deps.config.times.holdHours * 60);
    expect(await seller.call(deleteProduct, { params: { id } })).toMatchObject({ deletedCount: 1 });
  });
});

test("a seller sees the buyer's contact details while the laptop is held", async ({
  shop,
  seller,
}) => {
  const id = await listing(seller);
  const buyer = await member(shop);
  const meeting = { phone: "5550123", location: "Station" };
  const insertedId = await bookLaptop(buyer, id, meeting);
  const deal = async () => (await own(seller)).find(({ _id }) => _id === id)?.deal;
  const { name, email } = buyer;
  expect(await deal()).toMatchObject({
    bookingId: insertedId,
    state: "held",
    name,
    email,
    ...meeting,
  });
  await seller.call(cancelBooking, { params: { id: insertedId } });
  expect(await deal()).toBeNull();
});

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

test("the server and the form give the same message for an invalid number", async ({
  seller,
  draft,
}) => {
  for (const field of Object.keys(fields) as (keyof typeof fields)[])
    for (const [sent, typed, sentence] of said[field]) {
      const refused = await errorOf(seller.call(addProduct, { body: { ...draft, [field]: sent } }));
      expect(refused).toMatchObject({ status: 400, fields: { [field]: sentence } });
      const inForm = addProductForm.shape[fields[field]].safeParse(typed);
      expect(inForm.error?.issues.map(({ message }) => message)).toEqual([sentence]);
    }
});

test("a listing accepts the lowest and highest price and year, and the longest duration of use", async ({
  shop,
  seller,
}) => {
  const year = shop.clock.now().getUTCFullYear();
  const ends = { resale_price: 1, original_price: 100_000, use_duration: 600 };
  for (const yearOf_purchase of [1985, year]) {
    const id = await listing(seller, { ...ends, yearOf_purchase });
    expect(await own(seller)).toContainEqual(
      expect.objectContaining({ _id: id, ...ends, yearOf_purchase }),
    );
  }
});

test("a year of purchase in the future is rejected with a message that names the latest year allowed", async ({
  shop,
  seller,
  draft,
}) => {
  const year = shop.clock.now().getUTCFullYear();
  const sentence = `Year of purchase can't be after ${year}.`;
  for (const ahead of [1, 100, 1e12]) {
    const body = { ...draft, yearOf_purchase: year + ahead };
    const refused = await errorOf(seller.call(addProduct, { body }));
    expect(refused).toMatchObject({ status: 400, fields: { yearOf_purchase: sentence } });
  }
});

describe("pagination", () => {
  test("pages return every product once, newest first", async ({ shop }) => {
    const another = await member(shop, { accountType: "seller" });
    const sold: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      shop.clock.advance(1);
      sold.unshift(await listing(another));
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor !== undefined && { cursor }) };
      const page = await another.send(listSellerProducts, {
        params: { email: another.email },
        query,
      });
      seen.push(...page.body.map(({ _id }) => _id));
      cursor = page.next;
    } while (cursor !== undefined);
    expect(seen).toEqual(sold);
  });

  test("a seller with more laptops than fit on a page gets the ids of all of them, and of no others", async ({
    shop,
    seller,
  }) => {
    const another = await member(shop, { accountType: "seller" });
    const first = await listing(another);
    await listing(seller);
    const posted_at = new Date(shop.clock.now().getTime() - 24 * 60 * 60_000);
    await copyLaptop(shop, first, { count: 100, posted_at });
    const ids = await another.call(listOwnProductIds, {});
    expect(ids).toContain(first);
    expect(ids).toHaveLength(101);
    await another.call(deleteProduct, { params: { id: first } });
    expect(await another.call(listOwnProductIds, {})).toHaveLength(100);
  });

  test("an invalid cursor or an out-of-range limit returns 400", async ({ seller }) => {
    const params = { email: seller.email };
    for (const query of [{ cursor: "bm9wZQ" }, { limit: 0 }, { limit: 101 }]) {
      expect(await errorOf(seller.call(listSellerProducts, { params, query }))).toMatchObject({
        status: 400,
      });
    }
  });
});

describe("public reads", () => {
  test("a request with a public response's ETag returns 304 until the content changes", async ({
    shop,
    seller,
  }) => {
    const url = `${shop.url}/api/categoryProducts/${await anyCategory(shop)}`;
    const etag = (await fetch(url)).headers.get("etag") ?? "";
    const status = async () => (await fetch(url, { headers: { "if-none-match": etag } })).status;
    expect(await status()).toBe(304);
    await listing(seller);
    await expect.poll(status).toBe(200);
  });
});
