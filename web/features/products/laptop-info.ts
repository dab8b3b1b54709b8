import { type Laptop, linkPreviewSize, type WithdrawnLaptop } from "#contract/laptop-page.ts";
import { formatPrice } from "#contract/price.ts";
import type { PageInfo } from "#web/page-meta.ts";
import { shorten } from "#web/ui/shorten.ts";

export function laptopInfo(laptop: Laptop | WithdrawnLaptop | undefined): PageInfo | undefined {
  if (!laptop) return undefined;
  const { product_name: name } = laptop;
  if (laptop.withdrawn) return { title: titleOf(name, " (no longer for sale)") };
  const price = formatPrice(laptop.resale_price);
  const state = laptop.sales_status === "sold" ? ", sold" : `, ${price}`;
  const title = titleOf(name, state);
  // Search engines and other sites read the preview in the server's document.
  return import.meta.env.SSR ? { title, ...previewOf(laptop) } : { title };
}

function previewOf(laptop: Laptop): Omit<PageInfo, "title"> {
  const { product_name: name, condition, yearOf_purchase, location, linkPreview } = laptop;
  const isSold = laptop.sales_status === "sold";
  const price = formatPrice(laptop.resale_price);
  const offer = `${isSold ? "sold" : `for ${price}`} in ${location}`;
  return {
    description: shorten(
      `Used ${shorten(name, 70)} ${offer}: condition ${condition.toLowerCase()}, bought in ${yearOf_purchase}.`,
      155,
    ),
    image: {
      "": linkPreview,
      ":width": String(linkPreviewSize.width),
      ":height": String(linkPreviewSize.height),
      ":alt": `${name}, ${isSold ? "sold" : price}`,
    },
  };
}

/** Returns at most 48 of about 60 characters that search engines show. The shop's name follows. */
function titleOf(name: string, state: string): string {
  return shorten(name, 48 - state.length) + state;
}
