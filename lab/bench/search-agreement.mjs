import { activeFilters, wordsQuery } from "../../server/features/search/conditions.ts";
import { resolveNear } from "../../server/features/search/near.ts";
import { parseQuery } from "../../server/features/search/parse-query.ts";
import { rankedWords } from "./search-queries.mjs";

const shown = 24;

/** How many of the first 24 results are also among the first 24 in a full, slow ranking. */
export async function measureAgreement({ site, db }) {
  await db.query("set statement_timeout = 0");
  let [same, all] = [0, 0];
  for (const q of rankedWords) {
    const words = `q=${encodeURIComponent(q)}`;
    const response = await fetch(`${site}/api/search?${words}&limit=${shown}`);
    const answer = await response.json();
    if (!response.ok) throw new Error(`A search for ${q} was refused: ${JSON.stringify(answer)}`);
    // Corrected and loosened searches search for something else.
    if (answer.corrected.length > 0 || answer.loosened) continue;
    const wanted = await rankAll(db, q);
    const got = new Set(answer.items.map(({ _id }) => _id));
    const agreed = wanted.filter((id) => got.has(id)).length;
    console.log(`  ${q}: ${agreed} of ${wanted.length}, ${answer.total} matches`);
    same += agreed;
    all += wanted.length;
  }
  console.log(`agreement of the first ${shown}: ${((100 * same) / all).toFixed(1)} %`);
}

async function rankAll(db, q) {
  const parsed = parseQuery(q);
  const words = wordsQuery(parsed);
  const place = resolveNear(parsed.filters);
  const filters = activeFilters({ ...parsed.filters, place });
  const query = [...(words?.every ?? []), ...filters.map((one) => one.query)].join(" & ");
  const { maxPrice = 1e6, minPrice = 0, battery = 0 } = parsed.filters;
  const { rows } = await db.query(
    `select product_id from search_documents
    where listed and ($1 = '' or tokens @@ $1::tsquery)
      and price_cents between $2 and $3 and coalesce(battery, 0) >= $4
    order by ${words ? "ts_rank('{0.1, 0.3, 0.5, 1}', tokens, $5::tsquery) + quality / 4000.0" : "$5::text, quality"} desc,
      quality desc, product_id desc limit ${shown}`,
    [query, minPrice * 100, maxPrice * 100, battery, words?.some ?? null],
  );
  return rows.map((row) => row.product_id);
}
