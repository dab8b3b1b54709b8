import { useRouteLoaderData } from "react-router";
import type { Shop } from "#contract/shop.ts";

/** The owner's settings that pages show. The root's loader has read them. */
export function useShop(): Shop {
  return (useRouteLoaderData("root") as { shop: Shop }).shop;
}
