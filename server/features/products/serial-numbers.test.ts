import { expect } from "vitest";
import { readOwnData } from "#contract/account.ts";
import { listBookings } from "#contract/bookings.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { deleteProduct, editProduct, listSellerProducts } from "#contract/products.ts";
import { deal } from "../../testing/deal.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { createVisitor, errorOf, member, type Person } from "../../testing/people.ts";
import { eraseDeletedMembers } from "../members/erase-deleted-members.ts";

const test = shopTest({ sandbox: true }).extend(
  "other",
  { scope: "file" },
  async ({ shop }) => await member(shop, { accountType: "seller" }),
);

const list = (seller: Person, serial_number?: string | null, transaction_id?: string) =>
  listing(seller, { serial_number, transaction_id });

const refused = {
  status: 409,
  code: "ALREADY_LISTED",
  fields: { serial_number: expect.stringContaining("is for sale already") },
};

const soldHere = {
  status: 409,
  code: "ALREADY_LISTED",
  fields: { transaction_id: expect.stringContaining("only its buyer can list it") },
};

test("a serial number can't be listed twice, whatever its case, spacing or character width", async ({
  seller,
  other,
}) => {
  await list(seller, "pf2x 1a3b");
  for (const same of ["PF2X1A3B", " pf2x1a3b ", "ＰＦ２Ｘ１Ａ３Ｂ", "p f 2 x 1 a 3 b"])
    expect(await errorOf(list(other, same))).toMatchObject(refused);
  // The letter O and the digit zero are different.
  await list(seller, "AB0C1");
  await list(seller, "ABOC1");
  await list(seller);
  await list(seller, null);
});

test("only one of several concurrent listings of the same laptop is accepted", async ({
  seller,
  other,
}) => {
  const results = await Promise.allSettled(
    [seller, other, seller, other].map((who) => list(who, "RACE-0001")),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject(refused);
});

test("a listing with an invalid serial number is rejected", async ({ seller }) => {
  for (const wrong of ["", "A1", "-ABCD", "AB_CD", "É123", "A".repeat(41), "<b>1234", 12345, {}])
    expect(await errorOf(list(seller, wrong as string))).toMatchObject({
      status: 400,
      fields: { serial_number: expect.stringContaining("4 to 40 letters and digits") },
    });
});

test("an edit can set, keep, change or remove a serial number, and deleting a listing frees its number", async ({
  seller,
  other,
}) => {
  const id = await list(seller);
  const edit = (serial_number: string | null) =>
    seller.call(editProduct, { params: { id }, body: { serial_number } });
  await edit("EDIT0001");
  await seller.call(editProduct, { params: { id }, body: { location: "York" } });
  expect(await errorOf(list(other, "EDIT0001"))).toMatchObject(refused);
  await edit("EDIT0001");
  await edit("EDIT0002");
  const taken = await list(other, "EDIT0001");
  expect(await errorOf(edit("EDIT0001"))).toMatchObject(refused);
  expect(await errorOf(list(other, "EDIT0002"))).toMatchObject(refused);
  await other.call(deleteProduct, { params: { id: taken } });
  await edit("EDIT0001");
  await edit(null);
  await list(other, "EDIT0001");
});

test("after payment, the buyer sees the serial number's last characters, and after the handover, relisting needs the transaction ID", async ({
  shop,
  admin,
  seller,
  other,
}) => {
  const reader = await member(shop);
  const id = await list(seller, "SOLD-7788");
  const seen = async (who: Person) =>
    (await who.call(listBookings, { params: { email: who.email } })).map((one) => one.serialEnd);
  const first = await deal(shop, "held", { seller, buyer: reader, product: id });
  expect(await seen(reader)).toEqual([null]);
  await first.pay();
  expect(await seen(reader)).toEqual(["7788"]);
  expect(await errorOf(list(other, "sold-7788"))).toMatchObject(refused);
  await first.refund(admin);
  expect(await seen(reader)).toEqual([null]);
  const second = await deal(shop, "handedOver", { seller, buyer: reader, product: id });
  expect((await seen(reader)).toSorted()).toEqual(["7788", null]);
  for (const wrong of [seller, other])
    expect(await errorOf(list(wrong, "SOLD-7788"))).toMatchObject(soldHere);
  const draft = await list(other);
  const edit = { params: { id: draft }, body: { serial_number: "sold-7788" } };
  expect(await errorOf(other.call(editProduct, edit))).toMatchObject(soldHere);
  expect(await errorOf(list(other, "SOLD-7788", first.intent))).toMatchObject(soldHere);
  await list(other, "SOLD-7788", ` ${second.intent} `);
  expect(await errorOf(list(seller, "SOLD-7788"))).toMatchObject(refused);
});

test("if the buyer is refunded before the handover, the laptop can be listed again only after its listing is deleted", async ({
  shop,
  admin,
  seller,
  other,
}) => {
  const id = await list(seller, "BACK-0001");
  const sale = await deal(shop, "paid", { seller, product: id });
  expect(await errorOf(list(seller, "BACK-0001"))).toMatchObject(refused);
  await sale.refund(admin);
  expect(await errorOf(list(other, "BACK-0001"))).toMatchObject(refused);
  await seller.call(deleteProduct, { params: { id } });
  await list(seller, "BACK-0001");
});

test("relisting a sold laptop requires the transaction ID from its latest sale", async ({
  shop,
  seller,
  other,
}) => {
  const buyer = await member(shop);
  const sell = async (from: Person, proof?: string) => {
    const product = await list(from, "CHAIN-001", proof);
    const { intent } = await deal(shop, "handedOver", { seller: from, buyer, product });
    shop.clock.advance(1);
    return intent;
  };
  const first = await sell(seller);
  const second = await sell(other, first);
  expect(await errorOf(list(other, "CHAIN-001", first))).toMatchObject(soldHere);
  await list(seller, "CHAIN-001", second);
});

test("the shop stores only a serial number's hash and last characters, hides both from visitors, and deletes both when the seller is erased", async ({
  shop,
}) => {
  const seller = await member(shop, { accountType: "seller" });
  const id = await list(seller, "HIDDEN-NUMBER-42XZ");
  const [own] = await seller.call(listSellerProducts, { params: { email: seller.email } });
  expect(own).toMatchObject({ serial_end: "42XZ" });
  const { products } = await seller.call(readOwnData, {});
  expect(products).toMatchObject([{ serial_end: "42XZ" }]);
  const open = await createVisitor(shop).call(readProduct, { params: { id } });
  expect(JSON.stringify(open)).not.toMatch(/42XZ|serial/i);
  const { deps, pool } = shop;
  const { rows } = await pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'identity')",
  );
  for (const { name } of rows) {
    const kept = await pool.query(
      `select from ${name} t where replace(to_jsonb(t)::text, '-', '') ilike '%hiddennumber%'`,
    );
    expect([name, kept.rowCount]).toEqual([name, 0]);
  }
  await pool.query("update members set deleted_at = 'epoch' where id = $1", [seller.id]);
  await eraseDeletedMembers(deps.db, new Date(), shop.clock.now());
  const left = await deps.db
    .selectFrom("serial_numbers")
    .select("product_id")
    .where("product_id", "=", id)
    .execute();
  expect(left).toEqual([]);
});
