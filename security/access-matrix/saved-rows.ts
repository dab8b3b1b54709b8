import { everybody, type Rows } from "./row.ts";

export const savedRows = {
  saveProduct: { ask: async (fixtures) => ({ params: { id: await fixtures.product() } }) },
  unsaveProduct: {
    owners: everybody,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.savedProduct(owner) } }),
  },
  setSavedProductEmails: { ask: async () => ({ body: { emails: false } }) },
  saveSearch: { ask: async () => ({ body: { search: "q=thinkpad&ram=16", frequency: "daily" } }) },
  changeSavedSearch: {
    owners: everybody,
    ask: async (fixtures, owner) => ({
      params: { id: await fixtures.savedSearch(owner) },
      body: { frequency: "instant" },
    }),
  },
  deleteSavedSearch: {
    owners: everybody,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.savedSearch(owner) } }),
  },
} satisfies Rows;
