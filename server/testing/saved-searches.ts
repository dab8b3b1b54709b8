import { saveSearch } from "#contract/saved-searches.ts";
import { mailSavedSearches } from "../features/saved/mail-saved-searches.ts";
import { queuedEmails } from "./inbox.ts";
import { member, type Person } from "./people.ts";
import type { Shop } from "./shop.ts";

/** Creates a member who saved the search a minute ago. */
export async function searcher(
  shop: Shop,
  search: string,
  frequency: "instant" | "daily" = "instant",
) {
  const someone = await member(shop);
  const { insertedId: id } = await someone.call(saveSearch, { body: { search, frequency } });
  shop.clock.advance(1);
  return Object.assign(someone, { searchId: id });
}

export async function mailedTo(shop: Shop, { email }: Person) {
  await mailSavedSearches(shop.deps);
  return (await queuedEmails(shop)).filter(({ to }) => to === email);
}
