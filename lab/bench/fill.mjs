import { readFile } from "node:fs/promises";
import { fillSearch } from "./fill-search.mjs";

const listingsFile = new URL("../relevance/unseen/listings.json", import.meta.url);

/**
 * Fills an empty, migrated shop with laptops, a fifth as many members, three tenths as many
 * bookings, and the rows that belong to them. `client` is a `pg` connection, not a pool. A million
 * laptops take a few minutes.
 */
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
