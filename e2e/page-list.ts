import { listCategories } from "#contract/categories.ts";
import { paths } from "#web/paths.ts";
import { bookLaptop, listLaptop, type Member, type Role } from "./accounts.ts";

/** Every page, by a role that may see it. */
export async function pagesByRole({ buyer, seller }: { buyer: Member; seller: Member }) {
  const [category] = await buyer.call(listCategories, {});
  const booking = await bookLaptop(buyer, await listLaptop(seller));
  const { _id, product_name } = await listLaptop(seller);
  const laptop = paths.laptop(_id, product_name);
  return {
    visitor: [
      "/",
      "/blogs",
      "/search",
      "/search?q=thinkpad&ram=16",
      "/terms",
      laptop,
      "/login",
      "/signup",
      "/forgot-password",
      "/reset-password?token=any",
      "/confirm-email?token=any",
      "/unsubscribe?token=any",
      "/no/such/page",
    ],
    buyer: [
      "/",
      `/categoryProducts/${category?._id}`,
      "/dashboard",
      `/dashboard/payment/${booking}`,
      "/dashboard/profile",
      "/dashboard/allSellers",
    ],
    seller: [
      laptop,
      paths.editProduct(_id),
      "/dashboard/addProduct",
      "/dashboard/myProducts",
      "/dashboard/overview",
    ],
    admin: [
      "/dashboard/allSellers",
      "/dashboard/allBuyers",
      "/dashboard/reportedItems",
      "/dashboard/payments",
      "/dashboard/overview",
      "/dashboard/auditLog",
    ],
  } satisfies Record<Role, string[]>;
}
