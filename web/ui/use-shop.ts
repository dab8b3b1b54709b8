import { useRouteLoaderData } from "react-router";
import type { Shop } from "#contract/shop.ts";

/** The shop, as read by the root's loader. */
export function useShop(): Shop {
  return (useRouteLoaderData("root") as { shop: Shop }).shop;
}
