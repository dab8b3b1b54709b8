import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { linkPreviewPath } from "#contract/laptop-page.ts";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { builtInColors, defaultSettings, type ShopSettings } from "#contract/shop-settings.ts";
import { DamagedFile } from "../../adapters/images/port.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { FairQueue } from "../../fair-queue.ts";
import { tooManyRenders } from "../../public-cache/renders.ts";
import { decodePhoto } from "../images/decoder.ts";
import type { Brand, LinkPreview } from "../images/draw-link-preview.ts";
import { selectProducts, toProduct } from "../products/product-rows.ts";

const maxBytes = 16 * 1024 * 1024;
/** The owner of all previews in the decoder's queue. Together, they get one turn per round. */
const owner = "link previews";

type Drawing = {
  deps: Pick<Deps, "images" | "imageHost">;
  network: string;
  preview: LinkPreview;
  img: string;
};

/** Caches previews. Draws one at a time, and throws `UNAVAILABLE` if too many requests wait. */
export function createLinkPreviews() {
  const queue = new FairQueue({ concurrency: 1, maxWaiting: 8, refusal: tooManyRenders });
  const drawn = new LRUCache<string, Buffer, Drawing>({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => length,
    fetchMethod: (_, __, { context }) => queue.run(context.network, () => draw(context)),
  });

  /** Throws `NOT_FOUND`. Throws `GONE` if the laptop is no longer public. */
  return async (deps: Deps, id: string, network: string) => {
    const laptop = await readPublic(deps, id);
    const { preview, path } = linkPreviewOf(laptop, deps.shop.get());
    const context = { deps, network, preview, img: laptop.img };
    return { jpeg: await drawn.forceFetch(path, { context }), path };
  };
}

async function readPublic({ db }: Pick<Deps, "db">, id: string) {
  const row = await selectProducts(db)
    .select(["products.deleted_at", "products.taken_down"])
    .select(["seller.deleted_at as seller_deleted_at", "seller.suspended_at"])
    .where("products.id", "=", id)
    .where("products.sales_status", "<>", "waiting")
    .executeTakeFirstOrThrow(orNotFound("There is no such laptop."));
  if (row.deleted_at || row.taken_down || row.seller_deleted_at || row.suspended_at)
    throw new AppError("GONE", "This laptop is no longer here.");
  return toProduct(row);
}

async function draw({ deps, preview, img }: Drawing): Promise<Buffer> {
  const photo = await readPhoto(deps, img).catch((error: unknown) => {
    if (error instanceof DamagedFile) return undefined;
    throw error;
  });
  return await decodePhoto(owner, { preview, photo }).catch((error: unknown) => {
    // Omits a photo that takes too much memory or time.
    if (!(error instanceof AppError) || error.code !== "TOO_LARGE") throw error;
    return decodePhoto(owner, { preview, photo: undefined });
  });
}

async function readPhoto({ images, imageHost }: Drawing["deps"], img: string) {
  if (img.startsWith("/images/")) return await images.read(img.slice("/images/".length));
  const url = URL.parse(img);
  const file = url && imageHost ? await imageHost.download(url, "whole") : "refused";
  return typeof file === "string" ? undefined : file.bytes;
}

export function brandOf({ name, colors }: ShopSettings): Brand {
  return { name, hasLogo: name === defaultSettings.name, ...(colors ?? builtInColors) };
}

type Previewed = Pick<
  Product,
  "_id" | "product_name" | "resale_price" | "condition" | "sales_status" | "img"
>;

/** Increase this number when the drawing changes, so that previews get new URLs. */
const drawing = 2;

/** `path` changes with everything that the preview shows. */
export function linkPreviewOf(
  laptop: Previewed,
  shop: ShopSettings,
): { preview: LinkPreview; path: string } {
  const { _id, product_name, resale_price, condition, sales_status, img } = laptop;
  const preview = {
    name: product_name,
    price: sales_status === "sold" ? "Sold" : formatPrice(resale_price),
    brand: brandOf(shop),
    details: `${sales_status === "booked" ? "On hold · " : ""}${condition} condition`,
  };
  const content = JSON.stringify([drawing, preview, img]);
  const version = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { preview, path: linkPreviewPath(_id, version) };
}
