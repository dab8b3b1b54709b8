import { listBuyers, listSellers } from "#contract/members.ts";

export const memberLists = { Seller: listSellers, Buyer: listBuyers };
