import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { readCatalog } from "#server/features/categories/categories.ts";
import { goodLaptop } from "#server/testing/marketplace.ts";
import { anyCategory } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { dealsByEmail, everybody, type Rows } from "./row.ts";

async function versionOf({ deps }: Shop): Promise<string> {
  return (await readCatalog(deps.db)).version;
}

async function newCategory({ deps }: Shop): Promise<string> {
  const id = randomUUID();
  await sql`insert into categories (id, product_category, brand_img, position)
    select ${id}::uuid, ${id}, '/brands/laptop.svg', max(position) + 1 from categories`.execute(
    deps.db,
  );
  return id;
}

export const listingRows = {
  readCategory: { ask: async ({ shop }) => ({ params: { id: await anyCategory(shop) } }) },
  addCategory: {
    ask: async ({ shop }) => ({
      body: { product_category: randomUUID(), basedOn: await versionOf(shop) },
    }),
  },
  changeCategory: {
    ask: async ({ shop }) => ({
      params: { id: await newCategory(shop) },
      body: { hidden: true, place: 1, basedOn: await versionOf(shop) },
    }),
  },
  deleteCategory: {
    ask: async ({ shop }) => ({
      params: { id: await newCategory(shop) },
      body: { moveTo: await anyCategory(shop), basedOn: await versionOf(shop) },
    }),
  },
  listCategoryProducts: {
    ask: async ({ shop }) => ({ params: { id: await anyCategory(shop) } }),
  },
  listSellerProducts: {
    ...dealsByEmail,
    tellsOtherSide: true,
    ask: async (fixtures, owner) => {
      await fixtures.booking(owner);
      return { params: { email: owner.email } };
    },
  },
  readOwnProduct: {
    owners: ["seller"],
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.product(owner) } }),
  },
  readProduct: { ask: async (fixtures) => ({ params: { id: await fixtures.product() } }) },
  drawLinkPreview: {
    ask: async (fixtures) => ({ params: { id: await fixtures.product(), version: "1" } }),
  },
  addProduct: {
    owners: ["seller"],
    refusal: 400,
    ask: async (fixtures, owner) => {
      const product_categoryId = await anyCategory(fixtures.shop);
      const img = await fixtures.image(owner);
      return { body: { ...goodLaptop, product_categoryId, img, facts: { ram_gb: 16 } } };
    },
  },
  editProduct: {
    owners: ["seller"],
    ask: async (fixtures, owner) => {
      const product_categoryId = await anyCategory(fixtures.shop);
      const img = await fixtures.image(owner);
      const body = {
        ...goodLaptop,
        product_categoryId,
        img,
        resale_price: 600,
        facts: { ram_gb: 8 },
      };
      return { params: { id: await fixtures.product(owner) }, body };
    },
  },
  toggleAdvertise: {
    owners: ["seller"],
    ask: async (fixtures, owner) => ({
      body: { id: await fixtures.product(owner), advertiseStatus: false },
    }),
  },
  takeDownProduct: {
    ask: async (fixtures) => {
      const id = await fixtures.product();
      return { body: { id, reason: "Not the laptop in the photo." } };
    },
  },
  deleteProduct: {
    owners: ["seller"],
    others: ["admin", "moderation"],
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.product(owner) } }),
  },
  readFairPrice: {
    ask: async ({ shop }) => ({
      query: {
        category: await anyCategory(shop),
        name: "ThinkPad T480",
        condition: "Good",
        originalPrice: "1200",
        useDuration: "24",
        yearOfPurchase: "2022",
      },
    }),
  },
  search: { ask: async () => ({ query: { q: "laptop" } }) },
  readDistance: { ask: async () => ({ query: { from: "Portland, OR", to: "Boston, MA" } }) },
  listSuggestions: { ask: async () => ({ query: { q: "th" } }) },
  reportProduct: {
    ask: async (fixtures) => ({
      body: {
        comment: "Not as described.",
        reportProduct: { _id: await fixtures.product() },
      },
    }),
  },
  deleteReport: {
    ask: async (fixtures) => {
      const { buyer, seller } = fixtures.members;
      return { params: { id: await fixtures.report(buyer[0], await fixtures.product(seller[0])) } };
    },
  },
  dismissFlag: { ask: async (fixtures) => ({ params: { id: await fixtures.flagged() } }) },
  countViews: { ask: async (fixtures) => ({ body: { productIds: [await fixtures.product()] } }) },
} satisfies Rows;

export const savedRows = {
  saveProduct: { ask: async (fixtures) => ({ params: { id: await fixtures.product() } }) },
  unsaveProduct: {
    owners: everybody,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.savedProduct(owner) } }),
  },
  setSavedProductEmails: { ask: async () => ({ body: { emails: false } }) },
  saveSearch: { ask: async () => ({ body: { search: "q=thinkpad&ram=16", frequency: "daily" } }) },
  changeSavedSearch: {
    owners: everybody,
    ask: async (fixtures, owner) => ({
      params: { id: await fixtures.savedSearch(owner) },
      body: { frequency: "instant" },
    }),
  },
  deleteSavedSearch: {
    owners: everybody,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.savedSearch(owner) } }),
  },
} satisfies Rows;
