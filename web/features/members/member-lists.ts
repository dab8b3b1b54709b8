import { listBuyers, listSellers } from "#contract/members.ts";

/** The calls that list the members an admin manages. */
export const memberLists = { Seller: listSellers, Buyer: listBuyers };
