import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { deleteUser, toggleSuspension } from "#contract/members.ts";
import { takeDownProduct } from "#contract/products.ts";
import {
  listSavedProductIds,
  listSavedProducts,
  saveProduct,
  setSavedProductEmails,
  unsaveProduct,
} from "#contract/saved-products.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { emailsTo } from "../../testing/inbox.ts";
import { copyLaptop, insertLaptop } from "../../testing/insert-laptop.ts";
import { cancelHold } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import { openShop, type Shop } from "../../testing/shop.ts";
import { mailSavedProducts } from "./mail-saved-products.ts";

const test = shopTest({ sandbox: true }).extend("saved", async ({ shop, seller }) => {
  const mia = await member(shop);
  const id = await insertLaptop(shop, seller);
  await mia.call(saveProduct, byId(id));
  return { mia, id };
});

const change = async (
  shop: Shop,
  id: string,
  set: { resale_cents?: number; sales_status?: "available" | "booked" | "sold"; deleted_at?: Date },
) => await shop.deps.db.updateTable("products").set(set).where("id", "=", id).execute();

async function mailedTo(shop: Shop, someone: Person): Promise<string[]> {
  await mailSavedProducts(shop.deps);
  return (await emailsTo(shop, someone)).map(({ text }) => text);
}

const setSuspended = (admin: Person, { id }: Person, suspended: boolean) =>
  admin.call(toggleSuspension, { body: { id, suspended: !suspended } });

const byId = (id: string) => ({ params: { id } });
const dayMinutes = 24 * 60;

test("a member can save a laptop, find it in the list and remove it", async ({ shop, seller }) => {
  const mia = await member(shop);
  const id = await insertLaptop(shop, seller);
  for (let twice = 0; twice < 2; twice += 1) await mia.call(saveProduct, byId(id));
  expect(await mia.call(listSavedProductIds, {})).toEqual({ ids: [id], emails: true });
  expect(await mia.call(listSavedProducts, {})).toMatchObject([
    { _id: id, savedPrice: 640, product: { resale_price: 640, sales_status: "available" } },
  ]);
  await change(shop, id, { deleted_at: shop.clock.now() });
  expect(await mia.call(listSavedProducts, {})).toMatchObject([{ _id: id, product: null }]);
  await mia.call(unsaveProduct, byId(id));
  expect(await mia.call(listSavedProducts, {})).toEqual([]);
  expect((await errorOf(mia.call(unsaveProduct, byId(id)))).code).toBe("NOT_FOUND");
  expect((await errorOf(mia.call(saveProduct, byId(id)))).code).toBe("NOT_FOUND");
});

async function saveCopies(shop: Shop, id: string, count: number): Promise<void> {
  const copies = await copyLaptop(shop, id, { count });
  await sql`
    insert into saved_products
    select (jsonb_populate_record(saved, jsonb_build_object('product_id', copy))).*
    from saved_products saved, unnest(${copies}::uuid[]) as copy
    where product_id = ${id}`.execute(shop.deps.db);
}

test("a member can't save more than 200 laptops, even with concurrent requests", async ({
  shop,
  seller,
}) => {
  const mia = await member(shop);
  const insert = () => insertLaptop(shop, seller);
  const [first, last, other] = [await insert(), await insert(), await insert()];
  await mia.call(saveProduct, byId(first));
  await saveCopies(shop, first, 198);
  const answers = await Promise.allSettled(
    [last, other].map((id) => mia.call(saveProduct, byId(id))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await mia.call(listSavedProductIds, {})).ids).toHaveLength(200);
  const refused = answers[0]?.status === "fulfilled" ? other : last;
  expect(await errorOf(mia.call(saveProduct, byId(refused)))).toMatchObject({
    code: "TOO_MANY_SAVED",
    message: "You have saved 200 laptops, which is the most you can. Remove one first.",
  });
});

test("a saved laptop's price drop is emailed once, and further changes are emailed together a day later", async ({
  shop,
  seller,
}) => {
  const mia = await member(shop);
  const [one, other] = [
    await insertLaptop(shop, seller),
    await insertLaptop(shop, seller, { product_name: "Dell XPS 13" }),
  ];
  for (const id of [one, other]) await mia.call(saveProduct, byId(id));
  await change(shop, one, { resale_cents: 70_000 });
  expect(await mailedTo(shop, mia)).toEqual([]);
  await change(shop, one, { resale_cents: 60_000 });
  const [first = "", ...more] = await mailedTo(shop, mia);
  expect(more).toEqual([]);
  expect(first).toContain("“ThinkPad X1 Carbon Gen 9” is now $600. It was $640.");
  await change(shop, one, { resale_cents: 50_000 });
  await change(shop, other, { sales_status: "sold" });
  expect(await mailedTo(shop, mia)).toEqual([first]);
  shop.clock.advance(dayMinutes);
  const [, second = "", ...later] = await mailedTo(shop, mia);
  expect(later).toEqual([]);
  expect(second).toContain("is now $500. It was $600.");
  expect(second).toContain("“Dell XPS 13” has been sold.");
  shop.clock.advance(dayMinutes);
  expect(await mailedTo(shop, mia)).toHaveLength(2);
});

test("a price that rises and falls back to the saved price is not emailed", async ({
  shop,
  saved: { mia, id },
}) => {
  await change(shop, id, { resale_cents: 70_000 });
  expect(await mailedTo(shop, mia)).toEqual([]);
  await mia.call(setSavedProductEmails, { body: { emails: false } });
  await mia.call(setSavedProductEmails, { body: { emails: true } });
  await change(shop, id, { resale_cents: 64_000 });
  expect(await mailedTo(shop, mia)).toEqual([]);
});

test("a member is emailed when a saved laptop's hold ends, but not when it starts", async ({
  shop,
  saved: { mia, id },
}) => {
  await change(shop, id, { sales_status: "booked" });
  expect(await mailedTo(shop, mia)).toEqual([]);
  await change(shop, id, { sales_status: "available" });
  expect(await mailedTo(shop, mia)).toEqual([expect.stringContaining("is back on sale for $640.")]);
});

test("a buyer gets no saved-laptop email about their own booking, and sees the saved laptop as bought", async ({
  shop,
  admin,
  seller,
  saved: { mia: buyer, id },
}) => {
  const other = await member(shop);
  await other.call(saveProduct, byId(id));
  const cancelled = await deal(shop, "held", { seller, buyer, product: id });
  await mailSavedProducts(shop.deps);
  await cancelHold(buyer, cancelled.booking);
  const sale = await deal(shop, "paid", { seller, buyer, product: id });
  const sold = [expect.stringContaining("has been sold.")];
  const news = async (who: Person) =>
    (await mailedTo(shop, who)).filter((text) => text.includes("View saved laptops"));
  expect(await news(other)).toEqual(sold);
  expect(await news(buyer)).toEqual([]);
  const bought = async (who: Person) =>
    (await who.call(listSavedProducts, {})).map((one) => [one.bought, one.product?.sales_status]);
  expect(await bought(buyer)).toEqual([[true, "sold"]]);
  expect(await bought(other)).toEqual([[false, "sold"]]);

  await sale.refund(admin);
  shop.clock.advance(dayMinutes);
  expect((await news(other)).at(-1)).toContain("is back on sale for $640.");
  expect(await news(buyer)).toEqual([]);
  expect(await bought(buyer)).toEqual([[false, "available"]]);
  await change(shop, id, { resale_cents: 60_000 });
  expect(await news(buyer)).toEqual([expect.stringContaining("is now $600.")]);
});

test("a member is emailed when a saved laptop's seller is suspended or restored", async ({
  shop,
  admin,
}) => {
  const [mia, seller] = [await member(shop), await member(shop)];
  const id = await insertLaptop(shop, seller);
  await mia.call(saveProduct, byId(id));
  await setSuspended(admin, seller, true);
  expect((await mailedTo(shop, mia)).at(-1)).toContain("Gen 9” is no longer for sale.");
  await setSuspended(admin, seller, false);
  shop.clock.advance(dayMinutes);
  expect((await mailedTo(shop, mia)).at(-1)).toContain("is back on sale for $640.");
});

test("a suspended member gets no emails about saved laptops until restored", async ({
  shop,
  admin,
  saved: { mia, id },
}) => {
  await setSuspended(admin, mia, true);
  await change(shop, id, { resale_cents: 60_000 });
  expect(await mailedTo(shop, mia)).toEqual([]);
  await setSuspended(admin, mia, false);
  expect(await mailedTo(shop, mia)).toHaveLength(1);
});

test("an email that can't be queued is sent once later, and doesn't block other members' emails", async ({
  shop,
  seller,
}) => {
  const members = [await member(shop), await member(shop)] as const;
  const id = await insertLaptop(shop, seller);
  for (const one of members) await one.call(saveProduct, byId(id));
  await change(shop, id, { resale_cents: 60_000 });
  const { emailQueue } = shop.deps;
  const failing = {
    ...emailQueue,
    add: (...[tx, ...emails]: Parameters<typeof emailQueue.add>) =>
      emails.some(({ to }) => to === members[0].email)
        ? Promise.reject(new Error("broken"))
        : emailQueue.add(tx, ...emails),
  };
  await expect(mailSavedProducts({ ...shop.deps, emailQueue: failing })).rejects.toThrow("broken");
  expect(await emailsTo(shop, members[1])).toHaveLength(1);
  expect(await emailsTo(shop, members[0])).toEqual([]);
  for (let twice = 0; twice < 2; twice += 1)
    expect(await mailedTo(shop, members[0])).toHaveLength(1);
});

test("a saved laptop's name is hidden after a takedown, or after its seller leaves", async ({
  shop,
  admin,
}) => {
  const mia = await member(shop);
  const sellers = [await member(shop), await member(shop)] as const;
  const ids: string[] = [];
  for (const seller of sellers)
    ids.push(await insertLaptop(shop, seller, { product_name: "Rude Name" }));
  for (const id of ids) await mia.call(saveProduct, byId(id));
  const [id = ""] = ids;
  await admin.call(takeDownProduct, { body: { id, reason: "Its name is an insult." } });
  await admin.call(deleteUser, byId(sellers[1].id));
  const unnamed = [{ product_name: "A laptop" }, { product_name: "A laptop" }];
  expect(await mia.call(listSavedProducts, {})).toMatchObject(unnamed);
  expect(await mia.call(readOwnData, {})).toMatchObject({ savedProducts: unnamed });
  const [text = ""] = await mailedTo(shop, mia);
  expect(text.match(/\bA laptop is no longer for sale\./g)).toHaveLength(2);
  expect(text).not.toContain("Rude Name");
});

test("a change to a saved laptop is emailed only once, even by two concurrent nodes", async ({
  shop,
  saved: { mia, id },
}) => {
  const node = await openShop({ beside: shop });
  await change(shop, id, { resale_cents: 10_000 });
  await Promise.all([mailSavedProducts(shop.deps), mailSavedProducts(node.deps)]);
  await node.close();
  expect(await mailedTo(shop, mia)).toHaveLength(1);
});

test("a price drop email waits while the member is over the email limit", async ({
  shop,
  saved: { mia, id },
}) => {
  const limited = await openShop({ beside: shop, env: { RATE_LIMIT: "on" } });
  const recipient_hash = createHash("sha256").update(mia.email).digest("base64url");
  const queued = { recipient_hash, kind: "alert", queued_at: shop.clock.now() };
  await shop.deps.db.insertInto("queued_emails").values(Array(30).fill(queued)).execute();
  await change(shop, id, { resale_cents: 60_000 });
  shop.clock.advance(dayMinutes - 30);
  await mailSavedProducts(limited.deps);
  expect(await mailedTo(shop, mia)).toEqual([]);
  shop.clock.advance(61);
  await mailSavedProducts(limited.deps);
  await limited.close();
  expect(await mailedTo(shop, mia)).toEqual([expect.stringContaining("is now $600.")]);
});

test("one click in the email app stops emails about saved laptops until the member turns them on again", async ({
  shop,
  seller,
  saved: { mia, id },
}) => {
  await change(shop, id, { resale_cents: 60_000 });
  await mailSavedProducts(shop.deps);
  const [email] = await emailsTo(shop, mia);
  const url = email?.unsubscribeUrl ?? "";
  expect(email?.text).toContain(`Stop emails about saved laptops:\n${url}`);
  const forged = url.replace(mia.id, seller.id);
  expect((await fetch(forged, { method: "POST" })).status).toBe(400);
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  expect((await mia.call(listSavedProductIds, {})).emails).toBe(false);
  shop.clock.advance(dayMinutes);
  await change(shop, id, { resale_cents: 50_000 });
  expect(await mailedTo(shop, mia)).toHaveLength(1);
  await mia.call(setSavedProductEmails, { body: { emails: true } });
  expect(await mailedTo(shop, mia)).toHaveLength(1);
  await change(shop, id, { resale_cents: 40_000 });
  expect((await mailedTo(shop, mia)).at(-1)).toContain("is now $400. It was $500.");
});

test("saved laptops are in the member's data export, and are deleted with the account", async ({
  shop,
  admin,
  saved: { mia, id },
}) => {
  expect(await mia.call(readOwnData, {})).toMatchObject({
    savedProducts: [{ _id: id, savedPrice: 640 }],
  });
  await admin.call(deleteUser, byId(mia.id));
  for (const table of ["saved_products", "saved_product_settings"] as const)
    expect(
      await shop.deps.db.selectFrom(table).selectAll().where("member_id", "=", mia.id).execute(),
    ).toEqual([]);
});
