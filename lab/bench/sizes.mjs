import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, root } from "../../scripts/run.mjs";
import { besideShop } from "./shop.mjs";

const laptops = Number(process.env.LAPTOPS ?? 1_000_000);

/**
 * `npm run bench:sizes`: counts the rows and bytes of each table of a filled shop, with indexes,
 * for docs/scale.md. A partitioned table is counted as one table.
 */
export async function tableSizes(db) {
  const { rows } = await db.query(`
    select coalesce(inhparent, c.oid)::regclass::text as name,
      sum(greatest(c.reltuples, 0))::float8 as rows,
      sum(pg_table_size(c.oid))::float8 as "tableBytes", sum(pg_indexes_size(c.oid))::float8 as "indexBytes"
    from pg_class c left join pg_inherits on inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'identity'::regnamespace)
    group by 1 having sum(pg_total_relation_size(c.oid)) > 1000000
    order by sum(pg_total_relation_size(c.oid)) desc`);
  return rows;
}

if (import.meta.main)
  await finish(async () => {
    await besideShop(laptops, async ({ db }) => {
      const tables = await tableSizes(db);
      console.table(tables);
      const run = { at: new Date().toISOString().slice(0, 10), laptops, tables };
      writeFileSync(join(root, "lab/bench/sizes.json"), `${JSON.stringify(run, null, 2)}\n`);
    });
    return 0;
  });
