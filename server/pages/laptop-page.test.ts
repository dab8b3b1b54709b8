import { expect, onTestFinished } from "vitest";
import { bookProduct } from "#contract/bookings.ts";
import { deleteUser } from "#contract/members.ts";
import { deleteProduct, takeDownProduct } from "#contract/products.ts";
import { shopTest } from "../testing/fixtures.ts";
import { listing, orderFor } from "../testing/marketplace.ts";
import { member } from "../testing/people.ts";
import { startS3 } from "../testing/photo-stores.ts";
import { openShop, type Shop } from "../testing/shop.ts";

const test = shopTest({ pages: true });

async function get(shop: Shop, path: string) {
  const answer = await fetch(`${shop.url}${path}`, { redirect: "manual" });
  const { status, headers } = answer;
  return { status, location: headers.get("location"), html: await answer.text() };
}

function textOf(html: string): string {
  return html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, " ");
}

test("a laptop's page shows the facts without scripts, and other spellings of its path redirect to it", async ({
  shop,
  seller,
}) => {
  const facts = { cpu: "Intel Core i7-1165G7", ram_gb: 16, storage_gb: 1000 };
  const id = await listing(seller, { product_name: "Thinkpad é X1, 16 GB", facts });
  const path = `/laptops/${id}-thinkpad-e-x1-16-gb`;
  for (const other of [`/laptops/${id}`, `/laptops/${id}-other`, `/laptops/${id.toUpperCase()}`])
    expect(await get(shop, `${other}?book=1`)).toMatchObject({
      status: 308,
      location: `${path}?book=1`,
    });
  const { status, html } = await get(shop, path);
  expect(status).toBe(200);
  expect(html).toContain(`<link rel="canonical" href="${shop.deps.config.publicUrl}${path}"/>`);
  for (const shown of ["Intel Core i7-1165G7", "16 GB", "1 TB", "$640", seller.name])
    expect(textOf(html)).toContain(shown);
});

test("a laptop's name isn't split at a comma in parentheses", async ({ shop, seller }) => {
  const product_name = "MacBook Air 13-inch (M4, 2025), 16 GB";
  const id = await listing(seller, { product_name });
  const { html } = await get(shop, `/laptops/${id}-macbook-air-13-inch-m4-2025-16-gb`);
  expect(html).toContain("<bdi>MacBook Air 13-inch (M4, 2025)</bdi>");
});

test("a laptop's page returns 404 if the laptop never existed, and 410 if an admin took it down", async ({
  shop,
  seller,
  admin,
}) => {
  const unknown = "01935a00-0000-7000-8000-00000000ffff";
  const before = shop.deps.publicCache.bytes;
  for (const path of ["nope", "-", unknown, `${unknown}-x`]) {
    const { status, html } = await get(shop, `/laptops/${path}`);
    expect(status).toBe(404);
    expect(html).toContain("<title>Page not found · ");
  }
  const taken: string[] = [];
  for (const _ of "ab") {
    const id = await listing(seller);
    expect((await get(shop, `/laptops/${id}-thinkpad-x1-carbon-gen-9`)).status).toBe(200);
    await admin.call(takeDownProduct, { body: { id, reason: "Stolen." } });
    taken.push((await get(shop, `/laptops/${id}-thinkpad-x1-carbon-gen-9`)).html);
    expect((await get(shop, `/laptops/${id}`)).status).toBe(410);
  }
  expect(textOf(taken[0] ?? "")).toContain("This page was removed");
  expect(taken[0]).toContain("<title>This page was removed · ");
  // All removed laptops share one page.
  expect(taken[1]).toBe(taken[0]);
  expect(shop.deps.publicCache.bytes).toBeLessThan(before + 400_000);
});

test("a deleted seller's page returns 410 and says that the seller has left", async ({
  shop,
  admin,
}) => {
  const { id } = await member(shop, { accountType: "seller" });
  await admin.call(deleteUser, { params: { id } });
  const { status, html } = await get(shop, `/sellers/${id}`);
  expect(status).toBe(410);
  expect(textOf(html)).toContain("the seller has left");
  expect(html).toContain("<title>This page was removed · ");
});

test("a laptop's page is cached, but never shows a held laptop as available", async ({
  shop,
  seller,
  buyer,
}) => {
  const id = await listing(seller);
  const path = `/laptops/${id}-thinkpad-x1-carbon-gen-9`;
  expect((await get(shop, path)).html).toBe((await get(shop, path)).html);
  expect(textOf((await get(shop, path)).html)).toContain("Book Now");
  await buyer.call(bookProduct, { body: orderFor(id) });
  const held = textOf((await get(shop, path)).html);
  expect(held).toContain("Someone has booked this laptop");
  const [summary = ""] = held.split("Similar laptops");
  expect(summary).not.toContain("Book Now");
});

test("a withdrawn laptop's page says that the laptop is no longer for sale, and links to other laptops", async ({
  shop,
  seller,
}) => {
  const id = await listing(seller, { description: "Secret words." });
  const other = await listing(seller);
  const path = `/laptops/${id}-thinkpad-x1-carbon-gen-9`;
  await get(shop, path);
  await seller.call(deleteProduct, { params: { id } });
  const { status, html } = await get(shop, path);
  expect(status).toBe(200);
  expect(textOf(html)).toContain("This laptop is no longer for sale.");
  expect(html).not.toContain("Secret words.");
  expect(html).toContain(`/laptops/${other}-`);
});

test("a laptop's page has structured data, which can't break out of its script element", async ({
  shop,
  seller,
}) => {
  const name = "X1 </script><script>alert(1)</script> <!--";
  const id = await listing(seller, { product_name: name, facts: { brand: "Lenovo" } });
  const { html } = await get(shop, `/laptops/${id}-x1-script-script-alert-1-script`);
  const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const [product, breadcrumbs] = (JSON.parse(json) as { "@graph": object[] })["@graph"];
  expect(product).toMatchObject({
    "@type": "Product",
    name,
    brand: { "@type": "Brand", name: "Lenovo" },
    offers: {
      "@type": "Offer",
      price: "640.00",
      priceCurrency: "USD",
      availability: "https://schema.org/InStock",
    },
  });
  expect(breadcrumbs).toMatchObject({ "@type": "BreadcrumbList" });
  expect(html).not.toContain("<script>alert(1)");
});

test("with a public S3 URL, a laptop's page loads its photos from that URL", async () => {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  const photos = `${s3.url}/${s3.env.S3_BUCKET}`;
  const shop = await openShop({ pages: true, env: { ...s3.env, S3_PUBLIC_URL: photos } });
  onTestFinished(() => shop.close());
  const id = await listing(await member(shop, { accountType: "seller" }));
  const answer = await fetch(`${shop.url}/laptops/${id}`);
  const shown = new RegExp(`${photos}/[0-9a-f]{64}-320\\.webp`).exec(await answer.text());
  expect((await fetch(String(shown?.[0]))).status).toBe(200);
  const policy = answer.headers.get("content-security-policy");
  expect(policy).toMatch(new RegExp(`img-src [^;]*${s3.url}`));
});
