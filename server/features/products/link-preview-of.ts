import { createHash } from "node:crypto";
import { linkPreviewPath } from "#contract/link-previews.ts";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import type { LinkPreview } from "../images/draw-link-preview.ts";

type Previewed = Pick<
  Product,
  "_id" | "product_name" | "resale_price" | "condition" | "sales_status" | "img"
>;

/** Increase this number when previews are drawn differently, so that previews get new addresses. */
const drawing = 1;

/** The text of a laptop's link preview, and a path that changes with the text and the photo. */
export function linkPreviewOf(laptop: Previewed): { preview: LinkPreview; path: string } {
  const { _id, product_name, resale_price, condition, sales_status, img } = laptop;
  const preview = {
    name: product_name,
    price: sales_status === "sold" ? "Sold" : formatPrice(resale_price),
    details: `${sales_status === "booked" ? "On hold · " : ""}${condition} condition`,
  };
  const content = JSON.stringify([drawing, preview, img]);
  const version = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { preview, path: linkPreviewPath(_id, version) };
}
