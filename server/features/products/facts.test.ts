import { expect } from "vitest";
import { factFields } from "#contract/facts.ts";
import { editProduct } from "#contract/products.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { listing } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

const known = {
  brand: "Lenovo",
  model_line: "ThinkPad X1 Carbon",
  cpu: "Intel Core i7-1165G7",
  cpu_family: "Core i7",
  cpu_generation: 11,
  ram_gb: 16,
  storage_gb: 512,
  gpu: "Intel Iris Xe",
  screen_inches: 13.3,
  screen_width: 1920,
  screen_height: 1200,
  battery_health: 88,
  battery_cycles: 0,
  keyboard_layout: "US English",
  operating_system: "Windows 11 Pro",
  ports: ["USB-C", "HDMI"],
  weight_grams: 1130,
  warranty_until: "2027-02-28",
  defects: "A scratch on the lid.\nA worn key.",
  included: "Charger",
};

async function stored({ deps }: Shop, id: string) {
  return await deps.db
    .selectFrom("laptop_facts")
    .selectAll()
    .where("product_id", "=", id)
    .executeTakeFirst();
}

const refusalOf = async (seller: Person, facts: object) =>
  await errorOf(listing(seller, { facts }));

test("every fact that a seller states is stored with the seller as its origin", async ({
  shop,
  seller,
}) => {
  const row = await stored(shop, await listing(seller, { facts: known }));
  expect(row).toMatchObject({
    ...known,
    screen_inches: "13.3",
    warranty_until: expect.any(Date),
    origins: Object.fromEntries(Object.keys(known).map((name) => [name, "seller"])),
  });
  expect(Object.keys(known).toSorted()).toEqual(Object.keys(factFields).toSorted());
});

test("the server derives the processor's family and generation from its name", async ({
  shop,
  seller,
}) => {
  const id = await listing(seller, { facts: { cpu: "AMD Ryzen 7 PRO 7840U", brand: null } });
  expect(await stored(shop, id)).toMatchObject({
    cpu_family: "Ryzen 7",
    cpu_generation: 7,
    brand: null,
    ram_gb: null,
    origins: { cpu: "seller", cpu_family: "seller", cpu_generation: "seller" },
  });
});

test("a listing without stated facts stores none", async ({ shop, seller }) => {
  for (const facts of [undefined, null, {}, { brand: null }])
    expect(await stored(shop, await listing(seller, { facts }))).toBeUndefined();
});

const ranges = Object.entries(factFields).flatMap(([name, field]) =>
  "min" in field ? [[name, field] as const] : [],
);

test("a listing accepts the minimum and the maximum of every fact that has a range", async ({
  seller,
}) => {
  const both = { screen_width: 1920, screen_height: 1080 };
  const facts = (end: "min" | "max") =>
    Object.fromEntries(ranges.map(([name, field]) => [name, field[end]]));
  for (const end of ["min", "max"] as const)
    await listing(seller, { facts: { ...both, ...facts(end) } });
});

test("the server rejects every out-of-range fact with a message, and the database rejects it, too", async ({
  shop,
  seller,
}) => {
  const id = await listing(seller);
  for (const [name, { label, min, max }] of ranges)
    for (const value of [before(min), after(max)]) {
      const refused = await refusalOf(seller, { [name]: value });
      expect(refused, name).toMatchObject({ status: 400, code: "INVALID_INPUT" });
      expect(refused.fields[`facts.${name}`]).toMatch(
        new RegExp(`^${label} can't be (less|more|before|after) .*\\.$`),
      );
      const both = name.startsWith("screen_") ? { screen_width: 1920, screen_height: 1080 } : {};
      const values = { product_id: id, ...both, [name]: value };
      await expect(
        shop.deps.db.insertInto("laptop_facts").values(values).execute(),
        name,
      ).rejects.toMatchObject({ code: "23514" });
    }
});

function before(value: number | string): number | string {
  return typeof value === "number" ? value - 1 : "1999-12-31";
}

function after(value: number | string): number | string {
  return typeof value === "number" ? value + 1 : "2061-01-01";
}

const rejected: [object, string][] = [
  [{ ram_gb: 16.5 }, "Memory must be a whole number, such as 16."],
  [{ ram_gb: "16" }, "Memory must be a whole number, such as 16."],
  [
    { screen_inches: 13.33 },
    "Screen size must be a number with at most one decimal, such as 13.3.",
  ],
  [{ brand: " " }, "Brand can't be empty. Leave it out if you don't know it."],
  [{ brand: "x".repeat(41) }, "Use at most 40 characters."],
  [{ cpu: "a\u0000b" }, "Please leave out control characters."],
  [{ warranty_until: "28.2.2027" }, "Warranty until must be a date, such as 2027-02-28."],
  [{ ports: ["USB-C", "USB-C"] }, "Name each port once."],
  [{ ports: [] }, "Choose at least one port, or leave the ports out."],
  [{ screen_width: 1920 }, "Send both the screen's width and its height in pixels."],
];

test("a listing with invalid facts is rejected with a message", async ({ seller }) => {
  for (const [facts, message] of rejected)
    expect(await refusalOf(seller, facts)).toMatchObject({ status: 400, message });
});

test("facts reported by the machine, or derived from a reported processor name, have the machine as their origin", async ({
  shop,
  seller,
}) => {
  const facts = { cpu: "Intel Core i7-1165G7", battery_health: 88, ram_gb: 16 };
  const machineFacts = ["cpu", "battery_health", "storage_gb"];
  const id = await listing(seller, { facts, machineFacts });
  const origins = { cpu: "machine", cpu_family: "machine", cpu_generation: "machine" };
  const known = { ...origins, battery_health: "machine", ram_gb: "seller" };
  expect((await stored(shop, id))?.origins).toEqual(known);

  const body = { facts: { battery_health: 90 }, machineFacts: [] };
  await seller.call(editProduct, { params: { id }, body });
  expect((await stored(shop, id))?.origins).toEqual({ battery_health: "seller" });
});

test("a listing that names an unknown machine-reported fact is rejected", async ({ seller }) => {
  const { fields } = await errorOf(listing(seller, { machineFacts: ["serial_number"] }));
  expect(fields).toEqual({ "machineFacts.0": "machineFacts must be names of facts." });
});
