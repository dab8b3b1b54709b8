import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cacheTags } from "#contract/cache-tags.ts";
import { laptopPath } from "#contract/page-paths.ts";
import { formatPrice } from "#contract/price.ts";
import { type Product, productTags } from "#contract/products.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { listAvailable } from "../features/products/products.ts";
import { sendCachedResponse } from "../public-cache/cached-response.ts";

const newest = 50;

/** Cached until laptops change or are added. */
export function categoryFeedRoutes(app: FastifyInstance, deps: Deps): void {
  const origin = new URL(deps.config.publicUrl).origin;
  const headers = {
    "content-type": "application/rss+xml; charset=utf-8",
    "cache-control": "public, no-cache",
  };
  app.get<{ Params: { id: string } }>(
    "/feeds/:id.xml",
    { schema: { hide: true } },
    async (request, reply) => {
      const id = request.params.id.toLowerCase();
      const found = await deps.publicCache.get(
        `feed ${id}`,
        async () => {
          const name = await findCategory(deps, id);
          const page = await listAvailable(deps.db, { categoryId: id }, { limit: newest });
          return {
            status: 200,
            headers,
            body: feedOf({ origin, shop: deps.shop.get().name, id, name, products: page.items }),
            tags: [
              cacheTags.category(id),
              cacheTags.shop,
              ...productTags({ body: page.items, following: page.following }),
            ],
          };
        },
        { reader: request.ip },
      );
      return await sendCachedResponse(found, request, reply);
    },
  );
}

async function findCategory({ db }: Deps, id: string): Promise<string> {
  const category = z.uuid().safeParse(id).success
    ? await db
        .selectFrom("categories")
        .select("product_category")
        .where("id", "=", id)
        .executeTakeFirst()
    : undefined;
  if (!category) throw new AppError("NOT_FOUND", "There is no such feed.");
  return category.product_category;
}

type Feed = { origin: string; shop: string; id: string; name: string; products: Product[] };

function feedOf({ origin, shop, id, name, products }: Feed): string {
  const items = products.map((product) => {
    const url = escaped(`${origin}${laptopPath(product._id, product.product_name)}`);
    const { product_name, resale_price, condition, location, description, postedAt } = product;
    const summary = `${formatPrice(resale_price)}, ${condition.toLowerCase()}, ${location}. ${description}`;
    return [
      `<item><title>${escaped(`${product_name}, ${formatPrice(resale_price)}`)}</title>`,
      `<link>${url}</link><guid>${url}</guid>`,
      `<pubDate>${new Date(postedAt).toUTCString()}</pubDate>`,
      `<description>${escaped(summary)}</description></item>`,
    ].join("");
  });
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>`,
    `<title>${escaped(`Used ${name} laptops · ${shop}`)}</title>`,
    `<link>${origin}/categoryProducts/${id}</link>`,
    `<description>${escaped(`The newest used ${name} laptops for sale.`)}</description>`,
    ...items,
    "</channel></rss>\n",
  ].join("\n");
}

/** Also removes control characters, most of which XML forbids. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
