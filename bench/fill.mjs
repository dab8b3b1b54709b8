import { readFile } from "node:fs/promises";
import { fillSearch } from "./fill-search.mjs";

/**
 * Fills an empty, migrated shop with laptops, a fifth as many members and three tenths as many bookings, each
 * with what belongs to it. `client` is a connection of `pg`, not a pool; a million laptops take a few minutes.
 */
export async function fill(client, laptops) {
  const sizes = { laptops, members: Math.ceil(laptops / 5), bookings: Math.round(laptops * 0.3) };
  await client.query("set statement_timeout = 0");
  for (const [name, size] of Object.entries(sizes))
    await client.query("select set_config($1, $2, false)", [`fill.${name}`, String(size)]);
  await client.query(await readFile(new URL("./fill.sql", import.meta.url), "utf8"));
  await fillSearch(client);
  await client.query("vacuum analyze");
}
