import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import type { Shop } from "#contract/shop.ts";
import { builtInColors, type ShopSettings } from "#contract/shop-settings.ts";
import { isPreview } from "../current-shop.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { readCategoryPicture } from "../features/categories/categories.ts";
import { decodePhoto } from "../features/images/decoder.ts";
import { brandOf } from "../features/link-previews/link-previews.ts";

type ShopFile = { path: string; type: string; read(shop: ShopSettings): Promise<Buffer> | Buffer };

/** Keyed by the `Shop` field that has the file's URL. */
const files: Record<"logo" | "icon" | "colors" | "preview", ShopFile> = {
  logo: { path: "/shop/logo.png", type: "image/png", read: ({ logo }) => bytesOf(logo) },
  icon: { path: "/shop/icon.png", type: "image/png", read: ({ icon }) => bytesOf(icon) },
  colors: {
    path: "/shop/colors.css",
    type: "text/css; charset=utf-8",
    read: ({ colors }) => Buffer.from(colors ? styleOf(colors) : ""),
  },
  preview: { path: "/shop/preview.jpg", type: "image/jpeg", read: drawPreview },
};

/** For URLs that change with their file. */
const forever = "public, max-age=31536000, immutable";

export function shopFileRoutes(
  app: FastifyInstance,
  { shop, db }: Pick<Deps, "shop" | "db">,
): void {
  // Cached, because drawing the link preview is slow.
  const served = new LRUCache<string, Buffer>({ max: 8 });
  for (const field of Object.keys(files) as (keyof typeof files)[]) {
    const { path, type, read } = files[field];
    app.get(path, { schema: { hide: true } }, async ({ url }, reply) => {
      const current = shop.page[field];
      if (current === undefined) throw new AppError("NOT_FOUND", "The shop has no such file.");
      // The URL may belong to settings that this node hasn't loaded yet or has already replaced.
      const isCurrent = url === current && !isPreview();
      reply.header("content-type", type);
      reply.header("cache-control", isCurrent ? forever : "private, no-cache");
      const known = served.get(current);
      const bytes = known ?? (await read(shop.get()));
      served.set(current, bytes);
      return bytes;
    });
  }

  app.get<{ Params: { id: string } }>(
    "/shop/categories/:id.png",
    { schema: { hide: true } },
    async ({ url, params: { id } }, reply) => {
      const stored = await readCategoryPicture(db, id);
      reply.header("content-type", "image/png");
      reply.header("cache-control", url === stored.path ? forever : "private, no-cache");
      return stored.picture;
    },
  );

  app.get("/manifest.webmanifest", { schema: { hide: true } }, async (_, reply) => {
    reply.header("content-type", "application/manifest+json; charset=utf-8");
    reply.header("cache-control", "public, no-cache");
    return manifestOf(shop.get(), shop.page);
  });
}

async function drawPreview(shop: ShopSettings): Promise<Buffer> {
  const preview = { name: shop.tagline, price: "", details: "", brand: brandOf(shop) };
  return await decodePhoto("shop", { preview, photo: undefined });
}

function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");
}

/** The defaults are in web/ui/tokens.css. */
function styleOf({ main, accent }: NonNullable<ShopSettings["colors"]>): string {
  return `:root{
--color-primary:${main};--color-primary-content:#fff;
--color-deep:${main};--color-deep-content:#fff;
--color-secondary:oklch(from ${main} .94 .028 h);--color-secondary-content:oklch(from ${main} .34 .07 h);
--color-accent:${accent};--color-accent-content:#2b1a06;
--color-sand:oklch(from ${accent} .9 .075 h);--color-sand-content:oklch(from ${accent} .3 .05 h)}
@media (prefers-color-scheme:dark){:root{
--color-primary:oklch(from ${main} .81 min(c,.12) h);--color-primary-content:oklch(from ${main} .22 .04 h);
--color-deep:oklch(from ${main} .35 min(c,.09) h);--color-deep-content:#fff;
--color-secondary:oklch(from ${main} .31 .04 h);--color-secondary-content:oklch(from ${main} .88 .07 h);
--color-accent:oklch(from ${accent} .84 min(c,.12) h);
--color-sand:oklch(from ${accent} .36 .05 h);--color-sand-content:oklch(from ${accent} .95 .03 h)}}
`;
}

function manifestOf({ name, tagline, colors }: ShopSettings, { icon }: Shop): string {
  const own = icon && [{ src: icon, sizes: "512x512", type: "image/png" }];
  return JSON.stringify({
    id: "/",
    name,
    short_name: name,
    description: tagline,
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#f6f7f3",
    theme_color: (colors ?? builtInColors).main,
    icons: own || builtInIcons,
    shortcuts: [
      { name: "My Orders", url: "/dashboard" },
      { name: "Add Product", url: "/dashboard/addProduct" },
    ],
  });
}

const builtInIcons = [
  { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
  { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
  { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
];
