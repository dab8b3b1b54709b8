import { expect } from "vitest";
import { dismissFlag, type FlagReason, listFlaggedListings } from "#contract/flagged-listings.ts";
import { toggleSuspension } from "#contract/members.ts";
import { addProduct, deleteProduct, editProduct, takeDownProduct } from "#contract/products.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { insertPhoto } from "../../testing/insert-laptop.ts";
import { bookLaptop, draftListing } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";

/** `draft` and `list` use a photo that needs no encoding. */
const test = shopTest({ sandbox: true })
  .extend(
    "draft",
    ({ shop }) =>
      async (seller: Person, changes: Changes = {}) =>
        await draftListing(seller, { img: await insertPhoto(shop, seller), ...changes }),
  )
  .extend("list", ({ draft }) => async (seller: Person, changes?: Changes) => {
    const body = await draft(seller, changes);
    return (await seller.call(addProduct, { body })).insertedId;
  });

type Changes = Record<string, unknown> & { img?: string | undefined };

const byId = (id: string) => ({ params: { id } });

async function flagged(admin: Person): Promise<Record<string, FlagReason[]>> {
  const rows = await admin.call(listFlaggedListings, { query: { limit: 100 } });
  return Object.fromEntries(rows.map(({ product, reasons }) => [product._id, reasons]));
}

test("a listing is flagged for an implausible price or duration of use, but not after it is corrected, deleted or taken down", async ({
  admin,
  seller,
  draft,
  list,
}) => {
  const plausible = await list(seller);
  const dear = await list(seller, { resale_price: 4300, original_price: 900 });
  const old = await list(seller, { resale_price: 641, use_duration: 600 });
  const both = await list(seller, { resale_price: 10, use_duration: 599 });
  expect(await flagged(admin)).toMatchObject({
    [dear]: ["price"],
    [old]: ["use"],
    [both]: ["price", "use"],
  });
  expect(await flagged(admin)).not.toHaveProperty([plausible]);

  const body = await draft(seller, { resale_price: 430, original_price: 900 });
  await seller.call(editProduct, { params: { id: dear }, body });
  await seller.call(deleteProduct, byId(old));
  await admin.call(takeDownProduct, { body: { id: both, reason: "Not a laptop." } });
  const left = await flagged(admin);
  for (const id of [dear, old, both]) expect(left).not.toHaveProperty([id]);
});

test("a seller's second live listing is flagged if it has the same price as the first, and the same name or photo", async ({
  shop,
  admin,
  seller,
  draft,
  list,
}) => {
  const laptop = await draft(seller, { product_name: "Latitude 7420", resale_price: 500 });
  const { insertedId: first } = await seller.call(addProduct, { body: laptop });
  const { img } = await draft(seller);
  const again = { ...laptop, product_name: "LATITUDE 7420", img };
  const { insertedId: second } = await seller.call(addProduct, { body: again });
  const renamed = { ...laptop, product_name: "Another laptop" };
  const { insertedId: third } = await seller.call(addProduct, { body: renamed });
  // A reused photo is fine at another price, because sellers reuse photos for other laptops.
  const other = { ...laptop, product_name: "Another laptop", resale_price: 555 };
  const { insertedId: fourth } = await seller.call(addProduct, { body: other });
  expect(await flagged(admin)).toMatchObject({ [second]: ["duplicate"], [third]: ["duplicate"] });
  for (const id of [first, fourth]) expect(await flagged(admin)).not.toHaveProperty([id]);
  const rows = await admin.call(listFlaggedListings, {});
  expect(rows.find(({ product }) => product._id === second)).toMatchObject({
    resembles: { _id: first, product_name: "Latitude 7420" },
    product: { sellerEmail: seller.email, sales_status: "available" },
  });

  await seller.call(deleteProduct, { params: { id: first } });
  expect(await flagged(admin)).not.toHaveProperty([second]);

  // Another seller may list the same model at the same price.
  const neighbour = await member(shop, { accountType: "seller" });
  const same = { product_name: "Latitude 7420", resale_price: 500 };
  expect(await flagged(admin)).not.toHaveProperty([await list(neighbour, same)]);
});

test("a listing is flagged if any of its photos is in another seller's live listing", async ({
  shop,
  admin,
  buyer,
  list,
}) => {
  const [owner, copier] = [
    await member(shop, { accountType: "seller" }),
    await member(shop, { accountType: "seller" }),
  ];
  const shared = "ab".repeat(32);
  const imagesOf = async (who: Person, at: number) => {
    const images: string[] = [];
    for (let n = 0; n < 3; n += 1)
      images.push(await insertPhoto(shop, who, n === at ? shared : undefined));
    return { img: images[0], images };
  };
  const first = await list(owner, await imagesOf(owner, 2));
  const copiers = [copier, await member(shop, { accountType: "seller" })];
  for (const [at, who] of copiers.entries()) {
    const id = await list(who, await imagesOf(who, at));
    expect(await flagged(admin)).toMatchObject({ [id]: ["photo"] });
  }
  await bookLaptop(buyer, first);
  await shop.deps.db
    .updateTable("products")
    .set({ sales_status: "sold" })
    .where("id", "=", first)
    .execute();
  const late = await member(shop, { accountType: "seller" });
  for (const id of Object.keys(await flagged(admin))) await admin.call(dismissFlag, byId(id));
  const later = await list(late, await imagesOf(late, 1));
  const [row] = await admin.call(listFlaggedListings, {});
  expect(row).toMatchObject({ product: { _id: later }, reasons: ["photo"] });
  expect(row?.resembles?._id).not.toBe(first);
});

test("at least one of two concurrent similar listings is flagged", async ({
  shop,
  admin,
  draft,
}) => {
  const [one, other] = [
    await member(shop, { accountType: "seller" }),
    await member(shop, { accountType: "seller" }),
  ];
  const shared = async (who: Person) => ({ img: await insertPhoto(shop, who, "cd".repeat(32)) });
  const bodies = await Promise.all([
    draft(one, { product_name: "Twins" }),
    draft(one, { product_name: "Twins" }),
    draft(one, await shared(one)),
    draft(other, await shared(other)),
  ]);
  const add = async (body: (typeof bodies)[number], index: number) =>
    (await (index === 3 ? other : one).call(addProduct, { body })).insertedId;
  const [twin = "", same = "", shown = "", copied = ""] = await Promise.all(bodies.map(add));
  const found = await flagged(admin);
  expect([found[twin], found[same]]).toContainEqual(["duplicate"]);
  expect([found[shown], found[copied]]).toContainEqual(["photo"]);
});

test("a sold listing leaves the queue of flagged listings, and returns if its buyer is refunded", async ({
  shop,
  admin,
  buyer,
  list,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const id = await list(seller, { use_duration: 600 });
  const sale = await deal(shop, "held", { seller, buyer, product: id });
  expect(await flagged(admin)).toHaveProperty([id]);
  await sale.pay();
  expect(await flagged(admin)).not.toHaveProperty([id]);
  await sale.refund(admin);
  expect(await flagged(admin)).toHaveProperty([id]);
  await admin.call(toggleSuspension, { body: { id: seller.id, suspended: false } });
  expect(await flagged(admin)).not.toHaveProperty([id]);
  await admin.call(toggleSuspension, { body: { id: seller.id, suspended: true } });
  await deal(shop, "handedOver", { seller, buyer, product: id });
  const { db } = shop.deps;
  const left = db.selectFrom("listing_flags").select("reason").where("product_id", "=", id);
  expect(await left.execute()).toEqual([]);
});

test("a dismissal is audited, and the listing is flagged again for other implausible numbers, but not for the dismissed ones", async ({
  shop,
  admin,
  seller,
  draft,
  list,
}) => {
  const prices = { resale_price: 20, original_price: 2000 };
  const id = await list(seller, prices);
  await admin.call(dismissFlag, { params: { id } });
  expect(await flagged(admin)).not.toHaveProperty([id]);
  expect(await errorOf(admin.call(dismissFlag, { params: { id } }))).toMatchObject({
    code: "NOT_FOUND",
    message: "This listing is no longer in the list of those to check.",
  });
  const audit = await shop.deps.db
    .selectFrom("audit_log")
    .select(["verb", "actor_id", "detail"])
    .where("object_id", "=", id)
    .where("actor_id", "=", admin.id)
    .execute();
  expect(audit).toEqual([
    { verb: "find in order", actor_id: admin.id, detail: { reasons: "price" } },
  ]);

  const edit = async (changes: Changes) =>
    await seller.call(editProduct, { params: { id }, body: await draft(seller, changes) });
  await edit({ ...prices, description: "Now with another text." });
  expect(await flagged(admin)).not.toHaveProperty([id]);
  await edit({ ...prices, use_duration: 600 });
  expect(await flagged(admin)).toMatchObject({ [id]: ["use"] });
  await edit({ ...prices, resale_price: 25 });
  expect(await flagged(admin)).toMatchObject({ [id]: ["price"] });
  await edit(prices);
  expect(await flagged(admin)).not.toHaveProperty([id]);
});

test("after a duplicate flag is dismissed, editing either of the two listings flags neither", async ({
  shop,
  admin,
  draft,
  list,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const [first, second] = [await list(seller), await list(seller)];
  await admin.call(dismissFlag, byId(second));
  const edit = async (id: string) =>
    await seller.call(editProduct, { ...byId(id), body: await draft(seller) });
  for (const id of [first, second]) await edit(id);
  expect(await flagged(admin)).not.toHaveProperty([first]);
  expect(await flagged(admin)).not.toHaveProperty([second]);
  const third = await list(seller);
  expect(await flagged(admin)).toHaveProperty([third]);
  await admin.call(dismissFlag, byId(third));
  const fourth = await list(seller);
  await edit(second);
  expect(await flagged(admin)).toMatchObject({ [fourth]: ["duplicate"] });
  expect(await flagged(admin)).not.toHaveProperty([second]);
});

test("the queue of flagged listings is paginated, newest first", async ({
  shop,
  admin,
  seller,
  list,
}) => {
  const ids = [];
  for (const resale_price of [11, 12, 13]) {
    shop.clock.advance(1);
    ids.unshift(await list(seller, { resale_price, original_price: 3000 }));
  }
  const page = await admin.send(listFlaggedListings, { query: { limit: 2 } });
  const more = { limit: 1, cursor: page.next ?? "" };
  const rest = await admin.call(listFlaggedListings, { query: more });
  expect([...page.body, ...rest].map(({ product }) => product._id)).toEqual(ids);
});
