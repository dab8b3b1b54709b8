import { finish } from "../../scripts/run.mjs";
import { load, start } from "./processes.mjs";
import { measureAgreement } from "./search-agreement.mjs";
import {
  adversarialQueries,
  commonSearches,
  inEveryOrder,
  typedBeginnings,
  unseenSearches,
} from "./search-queries.mjs";
import { measureWrites } from "./search-writes.mjs";
import { besideShop, requestText } from "./shop.mjs";

/** `npm run bench:search` measures a shop with a million laptops (or `LAPTOPS`). */
async function measureSearch(shop) {
  const client = start("load-client.mjs", "client");
  const run = (paths, options) =>
    load(client, {
      port: shop.port,
      requests: paths.map((path) => requestText("GET", path)),
      connections: 1,
      milliseconds: 8_000,
      ...options,
    });
  await run(commonSearches(), { milliseconds: 3_000 });
  for (const connections of [1, 10])
    print(`searches, ${connections} at once`, await run(commonSearches(), { connections }));
  for (const connections of [1, 10])
    print(`unseen, ${connections} at once`, await run(unseenSearches(), { connections }));
  await run(typedBeginnings, { milliseconds: 500 });
  print("suggestions", await run(typedBeginnings, { milliseconds: 3_000 }));
  const adversarial = inEveryOrder(adversarialQueries(500));
  print("adversarial", await run(adversarial, { milliseconds: 600_000, once: true }));
  await measureAgreement(shop);
  const searches = () => run(commonSearches(), { milliseconds: 30_000 });
  await measureWrites(shop, { print, searches });
  client.disconnect();
}

function print(name, { rate, p50, p95, p99, max, count, statuses, slowest }) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  console.log(
    `${name}: ${rate.toFixed(0)}/s, p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}, slowest ${ms(max)}, ${count} answers`,
    statuses,
  );
  for (const [took, text] of slowest) console.log(`  ${ms(took)} ${decodeURIComponent(text)}`);
}

await finish(async () => {
  await besideShop(Number(process.env.LAPTOPS ?? 1_000_000), measureSearch);
});
