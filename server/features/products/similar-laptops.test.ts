import { expect } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { toggleSuspension, updateProfile } from "#contract/members.ts";
import { deleteProduct, editProduct, takeDownProduct } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, listing } from "../../testing/marketplace.ts";
import { createVisitor, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

const newSeller = (shop: Shop) => member(shop, { accountType: "seller" });

/** Returns a function that lists a laptop in `category`, by a new seller unless `by` is given. */
async function lister(shop: Shop, category: string) {
  const categories = await createVisitor(shop).call(listCategories, {});
  const found = categories.find(({ product_category }) => product_category === category);
  return async (
    product_name: string,
    resale_price: number,
    { by, ...more }: { by?: Person; facts?: object } = {},
  ) => {
    const laptop = { product_categoryId: found?._id, product_name, resale_price, ...more };
    return await listing(by ?? (await newSeller(shop)), laptop);
  };
}

async function similarTo(shop: Shop, id: string): Promise<string[]> {
  const { similar } = await createVisitor(shop).call(readProduct, { params: { id } });
  return similar.map(({ _id }) => _id);
}

const thinkpad = { cpu: "Intel Core i5-8350U", ram_gb: 16, storage_gb: 512, screen_inches: 14 };
const gaming = { cpu: "Intel Core i7-12700H", gpu: "NVIDIA GeForce RTX 3060", ram_gb: 16 };

test("a ThinkPad's page shows similar ThinkPads instead of a gaming laptop at nearly the same price", async ({
  shop,
}) => {
  const list = await lister(shop, "Lenovo");
  const id = await list("Lenovo ThinkPad T480", 300, { facts: thinkpad });
  const legion = await list("Lenovo Legion 5", 301, { facts: gaming });
  const weaker = { ...thinkpad, ram_gb: 4, storage_gb: 128 };
  const lessLike = await list("Lenovo ThinkPad T480", 300, { facts: weaker });
  const otherModel = await list("Lenovo ThinkPad T490", 310, { facts: thinkpad });
  const same = await list("Lenovo ThinkPad T480", 320, { facts: thinkpad });
  expect(await similarTo(shop, id)).toEqual([same, otherModel, lessLike]);
  expect(await similarTo(shop, legion)).not.toContain(legion);
});

test("similar laptops are ranked by the facts in their names, too", async ({ shop }) => {
  const list = await lister(shop, "Dell");
  const id = await list("Dell XPS 13 9310, i7, 16 GB, 512 GB", 700);
  const less = await list("Dell XPS 13 9310, i5, 8 GB, 256 GB", 700);
  const same = await list("Dell XPS 13 9310, i7, 16 GB, 512 GB SSD", 710);
  expect(await similarTo(shop, id)).toEqual([same, less]);
});

test("if no laptop is of the same line, the page shows the category's available laptops closest in price", async ({
  shop,
  buyer,
}) => {
  const list = await lister(shop, "Acer");
  const id = await list("Something portable", 500);
  const [far, near, nearer] = [
    await list("Aspire 5", 900),
    await list("Swift 3", 520),
    await list("Nitro 5", 490),
  ];
  const held = await list("TravelMate P2", 501);
  await bookLaptop(buyer, held, { price: 501 });
  expect(await similarTo(shop, id)).toEqual([nearer, near, far]);
});

test("a seller's second laptop of a model comes after the best match of every other seller", async ({
  shop,
}) => {
  const list = await lister(shop, "HP");
  const [own, dealer] = [await newSeller(shop), await newSeller(shop)];
  const id = await list("EliteBook 840 G8", 400, { by: own });
  const ownCopy = await list("EliteBook 840 G8", 400, { by: own });
  const ofDealer = await list("EliteBook 840 G8", 405, { by: dealer });
  const copies = [
    await list("EliteBook 840 G8", 406, { by: dealer }),
    await list("EliteBook 840 G8", 407, { by: dealer }),
  ];
  expect((await similarTo(shop, id)).slice(0, 2)).toEqual([ofDealer, ownCopy]);
  const other = await list("ProBook 450 G8", 380);
  // A cached row of three laptops may lack a newer laptop for a while.
  shop.deps.publicCache.clear();
  expect((await similarTo(shop, id)).slice(0, 2)).toEqual([ofDealer, other]);
  expect(copies).not.toContain((await similarTo(shop, id))[1]);
});

test("a cached laptop page updates when a similar laptop's facts change", async ({ shop }) => {
  const list = await lister(shop, "ASUS");
  const seller = await newSeller(shop);
  const id = await list("ZenBook 14 UX425", 500, { facts: thinkpad });
  const first = await list("ZenBook 14 UX425", 500, { facts: { ...thinkpad, ram_gb: 8 } });
  const second = await list("ZenBook 14 UX425", 500, {
    facts: { ...thinkpad, ram_gb: 4 },
    by: seller,
  });
  expect(await similarTo(shop, id)).toEqual([first, second]);
  await seller.call(editProduct, { params: { id: second }, body: { facts: thinkpad } });
  expect(await similarTo(shop, id)).toEqual([second, first]);
});

test("a page with fewer than three similar laptops shows a new similar laptop as soon as it is listed", async ({
  shop,
}) => {
  const list = await lister(shop, "Razer");
  const id = await list("Blade 15", 900);
  const similar: string[] = [];
  for (const price of [910, 920, 930]) {
    expect(await similarTo(shop, id)).toEqual(similar);
    similar.push(await list("Blade 15", price));
  }
  expect(await similarTo(shop, id)).toEqual(similar);
});

test("a cached row of similar laptops is refreshed when a shown laptop changes, but not for a better match", async ({
  shop,
  buyer,
  admin,
}) => {
  const list = await lister(shop, "MSI");
  const id = await list("Stealth 14", 900);
  const farther: string[] = [];
  for (let n = 0; n < 8; n += 1) farther.push(await list("Stealth 14", 1_000 + 50 * n));
  const shown = () => similarTo(shop, id);
  expect(await shown()).toEqual(farther.slice(0, 3));
  const likelier = await list("Stealth 14", 901);
  expect(await shown()).toEqual(farther.slice(0, 3));
  await bookLaptop(buyer, farther[0] ?? "", { price: 1_000 });
  expect(await shown()).toEqual([likelier, ...farther.slice(1, 3)]);

  const [seller, other] = [await newSeller(shop), await newSeller(shop)];
  const first = await list("Stealth 14", 900, { by: seller });
  const second = await list("Stealth 14", 905, { by: other });
  await admin.call(takeDownProduct, { body: { id: likelier, reason: "Stolen." } });
  expect(await shown()).toEqual([first, second, farther[1]]);
  await other.call(deleteProduct, { params: { id: second } });
  expect(await shown()).toEqual([first, ...farther.slice(1, 3)]);
  await seller.call(updateProfile, { body: { name: "Ada King" } });
  const { similar } = await createVisitor(shop).call(readProduct, { params: { id } });
  expect(similar[0]).toMatchObject({ _id: first, seller_name: "Ada King" });
  await admin.call(toggleSuspension, { body: { id: seller.id, suspended: false } });
  expect(await shown()).toEqual(farther.slice(1, 4));
});
