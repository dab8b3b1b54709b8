import type { Person } from "#server/testing/people.ts";
import type { Kind } from "./actors.ts";
import type { Fixtures } from "./fixtures.ts";
import type { Rows } from "./row.ts";

const sides: Kind[] = ["buyer", "seller"];

const toOwner = async (fixtures: Fixtures, owner: Person) => ({
  params: { id: await fixtures.offer(owner, "to") },
});

export const offerRows = {
  makeOffer: {
    ask: async (fixtures) => ({
      body: {
        price: 450,
        phone: "5550177",
        location: "Leeds station",
        product: { _id: await fixtures.product() },
      },
    }),
  },
  acceptOffer: { owners: sides, ask: toOwner },
  declineOffer: { owners: sides, ask: toOwner },
  counterOffer: {
    owners: sides,
    ask: async (...from) => ({ ...(await toOwner(...from)), body: { price: 480 } }),
  },
  withdrawOffer: {
    owners: sides,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.offer(owner, "by") } }),
  },
} satisfies Rows;
