import { sql } from "kysely";
import sharp from "sharp";
import { expect } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { informationTitles, laptopPath } from "#contract/page-paths.ts";
import { deleteProduct } from "#contract/products.ts";
import { shopTest } from "../testing/fixtures.ts";
import { listing } from "../testing/marketplace.ts";
import type { Shop } from "../testing/shop.ts";

const test = shopTest({ pages: true });

const longName =
  "Lenovo ThinkPad X1 Carbon Gen 12, Core Ultra 7 155H, 32 GB, 1 TB, with dock and charger";

async function metaOf(shop: Shop, path: string) {
  const html = await (await fetch(`${shop.url}${path}`)).text();
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = ""]) => text);
  const one = (pattern: RegExp) => {
    const found = all(pattern);
    expect([path, found.length]).toEqual([path, found.length > 0 ? 1 : 0]);
    return found[0]?.replaceAll("&amp;", "&").replaceAll("&#x27;", "'");
  };
  const property = (name: string) =>
    one(new RegExp(`<meta property="${name}" content="([^"]*)"`, "g"));
  return {
    title: one(/<title>(.*?)<\/title>/g),
    description: one(/<meta name="description" content="([^"]*)"/g),
    robots: one(/<meta name="robots" content="([^"]*)"/g),
    canonical: one(/<link rel="canonical" href="([^"]*)"/g),
    url: property("og:url"),
    previewTitle: property("og:title"),
    site: property("og:site_name"),
    image: property("og:image"),
    imageWidth: property("og:image:width"),
    imageAlt: property("og:image:alt"),
    card: one(/<meta name="twitter:card" content="([^"]*)"/g),
  };
}

const pages = test
  .extend("listed", { scope: "file" }, async ({ shop, seller }) => {
    const name = "MacBook Air 13";
    const ids = await Promise.all(
      [name, longName, name, name].map((product_name, n) =>
        listing(seller, { product_name, resale_price: 640 + n }),
      ),
    );
    const [forSale = "", long = "", sold = "", withdrawn = ""] = ids;
    await sql`update products set sales_status = 'sold' where id = ${sold}`.execute(shop.deps.db);
    await seller.call(deleteProduct, { params: { id: withdrawn } });
    shop.deps.publicCache.clear();
    return {
      shown: [laptopPath(forSale, name), laptopPath(long, longName), laptopPath(sold, name)],
      withdrawn: laptopPath(withdrawn, name),
    };
  })
  .extend("categories", { scope: "file" }, async ({ seller }) =>
    (await seller.call(listCategories, {})).map(({ _id }) => `/categoryProducts/${_id}`),
  );

const fixed = [
  "/",
  "/search",
  "/blogs",
  "/login",
  "/signup",
  "/forgot-password",
  ...Object.values(informationTitles).flatMap((titles) => Object.keys(titles)),
];

pages(
  "indexable pages have their own titles, descriptions and canonical URLs",
  async ({ shop, listed, categories }) => {
    const { origin } = new URL(shop.deps.config.publicUrl);
    const paths = [...fixed, ...categories, ...listed.shown];
    const found = await Promise.all(paths.map((path) => metaOf(shop, path)));
    for (const [n, meta] of found.entries()) {
      const path = paths[n];
      const { title = "", description = "" } = meta;
      expect(title).toMatch(/^.{4,48} · Secondlap$/);
      expect([path, description.length >= 20 && description.length <= 155]).toEqual([path, true]);
      const address = `${origin}${path}`;
      expect(meta).toMatchObject({
        robots: undefined,
        canonical: address,
        url: address,
        card: "summary_large_image",
        image: expect.stringContaining("http"),
      });
    }
    for (const kind of ["title", "description", "canonical"] as const)
      expect(new Set(found.map((meta) => meta[kind])).size).toBe(paths.length);
  },
);

pages(
  "a laptop page's title says if the laptop is sold, and shortens a long name but keeps the price",
  async ({ shop, listed }) => {
    const [, long = "", sold = ""] = listed.shown;
    expect(await metaOf(shop, sold)).toMatchObject({
      title: "MacBook Air 13, sold · Secondlap",
      description: expect.stringContaining("Used MacBook Air 13 sold in Leeds"),
      imageAlt: "MacBook Air 13, sold",
    });
    expect(await metaOf(shop, long)).toMatchObject({
      title: "Lenovo ThinkPad X1 Carbon Gen 12, Core…, $641 · Secondlap",
      imageWidth: "1200",
      imageAlt: `${longName}, $641`,
      image: expect.stringMatching(/\/link-previews\/.*\.jpg$/),
    });
  },
);

pages(
  "a page that duplicates other pages or has little content is not indexed",
  async ({ shop, listed, categories: [category] }) => {
    const paths = [
      "/search?q=thinkpad",
      "/search?sort=price",
      `${category}?ram=16`,
      "/compare",
      listed.withdrawn,
      `/compare?laptops=${listed.shown[0]?.slice(10, 46)}`,
    ];
    for (const path of paths) {
      const { robots, canonical, url, title } = await metaOf(shop, path);
      const found = [path, robots, canonical, url];
      expect(found).toEqual([path, "noindex, follow", undefined, undefined]);
      expect(title).toMatch(/^.{4,48} · Secondlap$/);
    }
  },
);

pages(
  "link previews show Home's picture, a category's newest laptop, and a laptop's price and generated picture",
  async ({ shop, seller, categories: [category = ""] }) => {
    const name = "Framework 13";
    // Makes this listing newer than the other tests' listings.
    shop.clock.advance(1);
    const id = await listing(seller, { product_name: name });
    const path = laptopPath(id, name);
    const [home, newest, laptop] = [
      await metaOf(shop, "/"),
      await metaOf(shop, category),
      await metaOf(shop, path),
    ];
    expect(home).toMatchObject({
      previewTitle: "Used laptops, paid safely, handed over in person",
      site: "Secondlap",
    });
    expect(newest.description).toContain(`The newest: ${name}, good, $`);
    expect(laptop).toMatchObject({
      previewTitle: expect.stringMatching(/^Framework 13, \$\d+$/),
      imageAlt: laptop.previewTitle,
      description: expect.stringMatching(/^Used Framework 13 for \$\d+ in Leeds/),
    });
    const { origin } = new URL(shop.deps.config.publicUrl);
    for (const { image = "" } of [home, newest, laptop]) {
      const answer = await fetch(image.replace(origin, shop.url));
      expect(answer.headers.get("content-type")).toBe("image/jpeg");
      const drawn = await sharp(await answer.bytes()).metadata();
      if (image !== newest.image) expect(drawn).toMatchObject({ width: 1200, height: 630 });
    }
  },
);

test("each icon in the web app manifest has the size that the manifest states", async ({
  shop,
}) => {
  const manifest = await (await fetch(`${shop.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ name: "Secondlap", start_url: "/", display: "standalone" });
  for (const { src, sizes } of manifest.icons) {
    const icon = await (await fetch(`${shop.url}${src}`)).bytes();
    const { width, height } = await sharp(icon).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
});

pages("the sitemap names only pages that robots.txt allows", async ({ shop, listed }) => {
  const { origin } = new URL(shop.deps.config.publicUrl);
  const locations = async (path: string) => {
    const text = await (await fetch(`${shop.url}${path}`)).text();
    return [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = ""]) =>
      address.replace(origin, ""),
    );
  };
  const parts = await locations("/sitemap.xml");
  const named = (await Promise.all(parts.map(locations))).flat();
  expect(named).toEqual(expect.arrayContaining(listed.shown.slice(0, 2)));
  expect(named).not.toContain(listed.withdrawn);
  const robots = await (await fetch(`${shop.url}/robots.txt`)).text();
  const closed = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, start = ""]) => start);
  const paths = ["/auth/done", "/reset-password", "/confirm-email", "/unsubscribe"];
  for (const path of [...paths, "/account-deleted"]) {
    expect(closed.filter((start) => path.startsWith(start))).toHaveLength(1);
    expect(await metaOf(shop, path)).toMatchObject({ canonical: undefined, url: undefined });
  }
  for (const path of named) {
    expect(closed.filter((start) => path.startsWith(start))).toEqual([]);
    expect([path, await metaOf(shop, path)]).toMatchObject([
      path,
      { canonical: `${origin}${path}` },
    ]);
  }
  const { image = "" } = await metaOf(shop, listed.shown[0] ?? "");
  expect(closed.filter((start) => image.replace(origin, "").startsWith(start))).toEqual([]);
});
