import { z } from "zod";
import { call } from "./call.ts";
import { floor, ownProduct, productDetails } from "./products.ts";

// Not in products.ts, because every page loads the calls in that file.
export const readOwnProduct = call("GET /ownProducts/{id}", {
  access: "seller",
  summary: "One of the seller's own products, with everything that can be changed",
  reads: ["products", "bookings"],
  answers: { 200: z.object({ product: ownProduct, ...productDetails, floor }) },
});
