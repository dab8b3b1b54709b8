import { type APIRequestContext, expect } from "@playwright/test";
import sharp from "sharp";
import { listCategories } from "#contract/categories.ts";
import { paths } from "#web/paths.ts";
import { listLaptop } from "./accounts.ts";
import { test } from "./fixtures.ts";

/** A page's Open Graph tags. */
async function previewOf(request: APIRequestContext, address: string) {
  const html = await (await request.get(address)).text();
  const tags = html.matchAll(/<meta property="og:([^"]+)" content="([^"]*)"/g);
  return Object.fromEntries([...tags].map(([, name, content]) => [name, content]));
}

test("Home has an Open Graph image and an absolute URL", async ({ request, baseURL }) => {
  const { title, url, image, site_name } = await previewOf(request, "/");
  expect({ title, url, site_name }).toEqual({
    title: "Used laptops, paid safely, handed over in person",
    url: `${baseURL}/`,
    site_name: "Secondlap",
  });
  const picture = await (await request.get(String(image))).body();
  const metadata = await sharp(picture).metadata();
  expect(metadata).toMatchObject({ width: 1200, height: 630 });
});

test("a category's Open Graph tags show its newest laptop", async ({ request, seller }) => {
  // No other test lists laptops in this category.
  const { _id: category = "" } = (await seller.call(listCategories, {})).at(-1) ?? {};
  const { product_name } = await listLaptop(seller, { category });
  const { description, image } = await previewOf(request, `/categoryProducts/${category}`);
  expect(description).toContain(`The newest: ${product_name}, good, $640 in Leeds.`);
  const picture = await request.get(String(image));
  expect(picture.headers()["content-type"]).toBe("image/jpeg");
});

test("a laptop's Open Graph tags show its price, URL and a generated picture", async ({
  request,
  baseURL,
  laptop,
}) => {
  const path = paths.laptop(laptop._id, laptop.product_name);
  const { title, description, url, image, ...size } = await previewOf(request, path);
  expect({ title, url, size }).toMatchObject({
    title: `${laptop.product_name}, $640`,
    url: `${baseURL}${path}`,
    size: { "image:width": "1200", "image:height": "630" },
  });
  expect(size["image:alt"]).toBe(title);
  expect(description).toContain(`Used ${laptop.product_name} for $640 in Leeds`);
  const picture = await request.get(String(image));
  expect(picture.headers()["content-type"]).toBe("image/jpeg");
  const drawn = await sharp(await picture.body()).metadata();
  expect(drawn).toMatchObject({ width: 1200, height: 630 });
});
