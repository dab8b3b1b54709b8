import { randomUUID } from "node:crypto";
import { listCategories } from "#contract/categories.ts";
import { confirmHandover } from "#contract/handover.ts";
import { readProduct } from "#contract/laptops.ts";
import { askSeller } from "#contract/messages.ts";
import { sellerPath } from "#contract/page-paths.ts";
import { paths } from "#web/paths.ts";
import {
  bookLaptop,
  listLaptop,
  type Member,
  payForBooking,
  type Role,
  uploadPhotos,
} from "./accounts.ts";

type People = { buyer: Member; seller: Member; otherSeller: Member };

/** Together, the roles open every page. */
export async function pagesByRole({ buyer, seller, otherSeller }: People) {
  const [category] = await buyer.call(listCategories, {});
  const held = await listLaptop(seller);
  const anothers = await listLaptop(otherSeller);
  const booking = await bookLaptop(buyer, held);
  const paid = await bookLaptop(buyer, await listLaptop(seller));
  await payForBooking(buyer, paid);
  const images = await uploadPhotos(seller, 3);
  const { _id, product_name } = await listLaptop(seller, { img: String(images[0]), images });
  const laptop = paths.laptop(_id, product_name);
  const question = { text: "Is it still available?", key: randomUUID(), product: held };
  const { insertedId: conversation } = await buyer.call(askSeller, { body: question });
  const done = await bookLaptop(buyer, await listLaptop(seller));
  await payForBooking(buyer, done);
  await buyer.call(confirmHandover, { body: { id: done } });
  const { seller: shown } = await buyer.call(readProduct, { params: { id: _id } });
  return {
    visitor: [
      "/",
      "/blogs",
      "/search",
      "/search?q=thinkpad&ram=16",
      `/compare?ids=${_id},${held._id}`,
      "/terms",
      laptop,
      sellerPath(shown._id),
      `/login?from=/categoryProducts/${category?._id}`,
      "/signup",
      "/forgot-password",
      "/reset-password?token=any",
      "/confirm-email?token=any",
      "/unsubscribe?token=any",
      "/account-deleted",
      "/no/such/page",
    ],
    buyer: [
      "/",
      `/categoryProducts/${category?._id}`,
      "/dashboard",
      `/dashboard/payment/${booking}`,
      paths.handover(paid),
      "/dashboard/saved",
      `${paths.messages()}?conversation=${conversation}`,
      `${paths.messages()}?about=${_id}`,
      paths.reviews(),
      `${paths.offers()}?about=${_id}`,
      "/dashboard/invitations",
      "/dashboard/profile",
      "/dashboard/allSellers",
    ],
    seller: [
      paths.laptop(anothers._id, anothers.product_name),
      paths.editProduct(_id),
      "/dashboard/addProduct",
      "/dashboard/myProducts",
      paths.handover(paid),
      "/dashboard/payouts",
      "/dashboard/overview",
    ],
    admin: [
      "/dashboard/allSellers",
      "/dashboard/allBuyers",
      "/dashboard/reportedItems",
      "/dashboard/messages",
      paths.reviews(),
      "/dashboard/listingsToCheck",
      "/dashboard/invitations",
      "/dashboard/needsYou",
      "/dashboard/payments",
      "/dashboard/overview",
      "/dashboard/ledger",
      "/dashboard/health",
      "/dashboard/complaints",
      "/dashboard/shop/first-steps",
      `/dashboard/deal/${done}`,
      "/dashboard/auditLog",
      "/dashboard/staff",
      "/dashboard/staff?token=any",
      "/dashboard/shop/categories",
    ],
  } satisfies Record<Role, string[]>;
}
