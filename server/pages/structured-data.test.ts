import { expect } from "vitest";
import { laptopPath } from "#contract/page-paths.ts";
import { defaultSettings } from "#contract/shop-settings.ts";
import { publishSettings } from "../features/shop-settings/shop-settings.ts";
import { shopTest } from "../testing/fixtures.ts";
import { goodLaptop, listing } from "../testing/marketplace.ts";
import { anyCategory } from "../testing/people.ts";

const test = shopTest({ pages: true });

type Item = { "@type": string; "@graph"?: Item[] } & Record<string, unknown>;
type Issue = { issueMessage: string; severity: "ERROR" | "WARNING" };

/** Applies Google's rules for rich results, which list required fields by type. */
async function errorsOf(items: Item[]): Promise<string[]> {
  // The package has no type declarations.
  const name = "@adobe/structured-data-validator";
  const { default: Validator } = (await import(name)) as {
    default: new () => { validate(found: object): Promise<Issue[]> };
  };
  const jsonld = Object.groupBy(items, (item) => item["@type"]);
  const issues = await new Validator().validate({ jsonld, microdata: {}, rdfa: {} });
  return issues
    .filter(({ severity }) => severity === "ERROR")
    .map(({ issueMessage }) => issueMessage);
}

async function structuredData(url: string): Promise<Item[]> {
  const html = await (await fetch(url)).text();
  const scripts = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)];
  return scripts.flatMap(([, text = ""]) => {
    const item = JSON.parse(text) as Item;
    return item["@graph"] ?? [item];
  });
}

test("structured data has no errors on a laptop's page, a category's page and the search page", async ({
  shop,
  seller,
}) => {
  const category = await anyCategory(shop);
  const id = await listing(seller, { product_categoryId: category });
  const path = laptopPath(id, goodLaptop.product_name);
  const laptop = await structuredData(`${shop.url}${path}`);
  expect(laptop.map((item) => item["@type"])).toEqual(["Product", "BreadcrumbList"]);
  expect(await errorsOf(laptop)).toEqual([]);

  for (const list of [`/categoryProducts/${category}`, "/search?q=thinkpad"]) {
    const items = await structuredData(`${shop.url}${list}`);
    expect(items.map((item) => item["@type"])).toEqual(["ItemList"]);
    expect(items[0]?.itemListElement).toContainEqual({
      "@type": "ListItem",
      position: 1,
      name: goodLaptop.product_name,
      url: `${shop.deps.config.publicUrl}${path}`,
    });
    expect(await errorsOf(items)).toEqual([]);
  }
});

test("Home's structured data says who runs the shop", async ({ shop }) => {
  const { operator: none } = defaultSettings;
  const operator = { ...none, name: "Relap Lda", address: "Lisboa", email: "hello@relap.example" };
  const social = { x: "https://x.example/relap", youtube: "", facebook: "" };
  const settings = { ...defaultSettings, name: "Relap", operator, social };
  await publishSettings(shop.deps, { actor: null, settings, basedOn: 0 });
  await expect
    .poll(() => structuredData(shop.url))
    .toEqual([
      {
        "@context": "https://schema.org",
        "@type": "Organization",
        name: "Relap",
        url: shop.url,
        logo: `${shop.url}/icon-512.png`,
        legalName: "Relap Lda",
        address: "Lisboa",
        email: "hello@relap.example",
        sameAs: [social.x],
      },
    ]);
});

test("the structured data validator finds missing fields", async () => {
  expect(await errorsOf([{ "@type": "Product", offers: { "@type": "Offer" } }])).not.toEqual([]);
  const crumbs = { "@type": "BreadcrumbList", itemListElement: [{ "@type": "ListItem" }] };
  expect(await errorsOf([crumbs])).not.toEqual([]);
});
