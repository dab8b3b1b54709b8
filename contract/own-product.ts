import { z } from "zod";
import { call, id } from "./call.ts";
import { floor, ownProduct, productDetails } from "./products.ts";

// Not in products.ts, because every page loads the calls in that file.
export const readOwnProduct = call({
  method: "GET",
  path: "/ownProducts/{id}",
  access: "seller",
  summary: "One of the seller's own products, with everything that can be changed",
  reads: ["products", "bookings"],
  params: z.object({ id }),
  answers: { 200: z.object({ product: ownProduct, ...productDetails, floor }) },
  refusals: ["NOT_FOUND"],
});
