import { readFile } from "node:fs/promises";
import { fillSearch } from "./fill-search.mjs";

const listingsFile = new URL("../relevance/unseen/listings.json", import.meta.url);

/** For an empty, migrated shop. A million laptops take minutes. `client` must not be a pool. */
export async function fill(client, laptops) {
  const sizes = { laptops, members: Math.ceil(laptops / 5), bookings: Math.round(laptops * 0.3) };
  const listings = JSON.parse(await readFile(listingsFile, "utf8"));
  const descriptions = JSON.stringify(listings.map(({ description }) => description));
  await client.query("set statement_timeout = 0");
  for (const [name, value] of Object.entries({ ...sizes, descriptions }))
    await client.query("select set_config($1, $2, false)", [`fill.${name}`, String(value)]);
  await client.query(await readFile(new URL("./fill.sql", import.meta.url), "utf8"));
  await fillSearch(client);
  await client.query("vacuum analyze");
}
