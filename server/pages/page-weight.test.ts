import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { laptopPath } from "#contract/page-paths.ts";
import { toggleAdvertise } from "#contract/products.ts";
import { listing } from "../testing/marketplace.ts";
import { anyCategory, member } from "../testing/people.ts";
import { openShop } from "../testing/shop.ts";

const shop = await openShop({ pages: true });
afterAll(() => shop.close());
const seller = await member(shop, { accountType: "seller", verify: true });
const name = "Lenovo ThinkPad X1 Carbon Gen 12, Core Ultra 7 155H, 32 GB, 1 TB";
const description = "Bought for a job that ended, and hardly used. Charger included. ".repeat(5);
const facts = { brand: "Lenovo", ram_gb: 32, storage_gb: 1000, included: "Charger" };
const product = await listing(seller, { product_name: name, description, facts });
for (let n = 0; n < 25; n += 1) {
  const id = await listing(seller, { product_name: name, description });
  if (n < 13) await seller.call(toggleAdvertise, { body: { id, advertiseStatus: false } });
}

describe.each([
  ["Home", "/"],
  ["a category", `/categoryProducts/${await anyCategory(shop)}`],
  ["a laptop", laptopPath(product, name)],
  ["search", "/search"],
  ["a seller", `/sellers/${seller.id}`],
])("%s", (_, path) => {
  test("the page has at most 60 KB of HTML and 800 elements", async () => {
    const html = await page(path);
    expect(html).toContain("ThinkPad X1 Carbon");
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(60_000);
    expect(html.match(/<[a-z][^>]*>/g)?.length).toBeLessThanOrEqual(800);
  });

  test("the page has no laptop data in its scripts", async () => {
    const html = await page(path);
    const scripts = html.match(/<script.*?<\/script>/gs)?.join("") ?? "";
    expect(scripts).not.toContain("Charger included");
  });
});

test("the server build does not read NODE_ENV, so pages always render with production builds of packages", async () => {
  const folder = join(build, "../server");
  const files = await readdir(folder, { recursive: true });
  const scripts = files.filter((file) => file.endsWith(".js"));
  expect(scripts).toContain("index.js");
  for (const script of scripts)
    expect(await readFile(join(folder, script), "utf8")).not.toContain("process.env.NODE_ENV");
});

const build = join(import.meta.dirname, "../../build/client");

async function page(path: string): Promise<string> {
  return await (await fetch(`${shop.url}${path}`)).text();
}

function linked(html: string, kind: string): string[] {
  const links = html.match(/<link [^>]*>/g) ?? [];
  return links
    .filter((link) => link.includes(kind))
    .map((link) => /href="([^"#]+)/.exec(link)?.[1] ?? "");
}

async function bytesOf(files: string[], ending = ""): Promise<number> {
  const read = await Promise.all(files.map((file) => readFile(join(build, `${file}${ending}`))));
  return read.reduce((sum, { length }) => sum + length, 0);
}

/**
 * The modules that start the app. On pages that aren't eager, they load once the visitor acts or
 * the browser is idle.
 */
function modulesOf(html: string): string[] {
  const start = /<script id="app-start"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "{}";
  return (JSON.parse(start) as { preload: string[] }).preload;
}

describe.each(["/", "/blogs", "/login", "/signup", "/terms", "/nowhere"])("%s", (path) => {
  test("the page has at most 15 KB of compressed inline scripts, 15 KB of compressed styles and 40 KB of fonts", async () => {
    const html = await page(path);
    expect(html).not.toMatch(/<script[^>]* src=/);
    expect(linked(html, "modulepreload")).toEqual([]);
    const scripts = html.match(/<script.*?<\/script>/gs)?.join("") ?? "";
    expect(gzipSync(scripts).length).toBeLessThanOrEqual(15_000);
    const styles = linked(html, 'rel="stylesheet"');
    expect(styles.length).toBeGreaterThan(0);
    expect(await bytesOf(styles, ".gz")).toBeLessThanOrEqual(15_000);
    const fonts = linked(html, 'as="font"');
    expect(fonts).toHaveLength(2);
    expect(await bytesOf(fonts)).toBeLessThanOrEqual(40_000);
  });
});

const forms = "ZodError|shouldUnregister";
const late = `${forms}|sonner-toaster`;

test.each([
  ["/", 142_000, late],
  ["/blogs", 137_000, late],
  ["/terms", 137_000, late],
  ["/dashboard", 140_000, `${late}|js\\.stripe\\.com|u-legend|Arrange to meet|sign-up/email`],
  ["/dashboard/myProducts", 140_000, late],
  ["/dashboard/reportedItems", 140_000, late],
  ["a laptop's page", 145_000, forms],
])(
  "after the first paint, %s loads at most %i bytes of compressed script, and no %s",
  async (path, maxBytes, unwanted) => {
    const modules = modulesOf(await page(path.startsWith("/") ? path : laptopPath(product, name)));
    expect(await bytesOf(modules, ".gz")).toBeLessThanOrEqual(maxBytes);
    const texts = await Promise.all(modules.map((file) => readFile(join(build, file), "utf8")));
    for (const text of texts) expect(text).not.toMatch(new RegExp(unwanted));
  },
);

test("Firebase's SDK is in its own file, which no page preloads", async () => {
  const folder = join(build, "assets");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const [sdk, ...others] = files.filter((_, n) => texts[n]?.includes("identitytoolkit"));
  expect([sdk, others]).toEqual([expect.stringMatching(/^firebase-/), []]);
  for (const path of ["/", "/login", "/signup", "/forgot-password", "/dashboard/profile"])
    expect(modulesOf(await page(path))).not.toContain(`/assets/${sdk}`);
});

test("script files have no import cycles, so each file runs after the files that it imports", async () => {
  const folder = join(build, "assets");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const read = files.map(async (file) => {
    const text = await readFile(join(folder, file), "utf8");
    const imports = text.matchAll(/(?:import|from)\s*["'`]\.\/([^"'`]+\.js)["'`]/g);
    return [file, [...imports].map(([, imported = ""]) => imported)] as const;
  });
  const imports = new Map(await Promise.all(read));
  expect([...imports.values()].flat()).not.toEqual([]);
  const left = new Set(files);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const file of left)
      if (!imports.get(file)?.some((imported) => left.has(imported))) left.delete(file);
  }
  expect([...left]).toEqual([]);
});
