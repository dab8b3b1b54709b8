import { parseArgs } from "node:util";
import { finish } from "../../scripts/run.mjs";
import { measureLighthouse } from "./lighthouse.mjs";
import { measureScenarios } from "./measure.mjs";
import { measureProcess } from "./process-figures.mjs";
import { placement } from "./processes.mjs";
import { printRest, printRows, writeReport } from "./report.mjs";
import { besideShop } from "./shop.mjs";

const { values: options } = parseArgs({
  options: {
    fill: { type: "string" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});

/**
 * `npm run bench` compares every call with its floor, a minimal server that does the same work, at
 * 1,000, 100,000 and 1,000,000 laptops (`--fill N`: only N). `--only NAME` limits the scenarios.
 * `--quick` runs one short round. Only a full run writes docs/performance.md.
 */
await finish(async () => {
  const run = {
    at: new Date().toISOString(),
    node: process.version,
    placement,
    sizes: [],
    rows: [],
  };
  const chosen = (name) => name.includes(options.only ?? "");
  const sizes = options.fill
    ? [Number(options.fill)]
    : options.quick
      ? [1_000]
      : [1_000, 100_000, 1_000_000];
  for (const laptops of sizes) {
    // The smaller sizes show the cost of a single call. Load is measured at the largest size.
    const connections = laptops === sizes.at(-1) ? [1, 10, 100] : [1];
    const pace = options.quick
      ? { rounds: 1, milliseconds: 700 }
      : { rounds: 3, milliseconds: 2_000 };
    const { fillSeconds, rows } = await besideShop(laptops, (shop) =>
      measureScenarios(shop, { chosen, connections: options.quick ? [10] : connections, ...pace }),
    );
    run.sizes.push({ laptops, fillSeconds });
    run.rows.push(...rows.map((row) => ({ laptops, ...row })));
    printRows(run.rows.filter((row) => row.laptops === laptops));
  }
  if (!options.only) run.process = await measureProcess({ starts: options.quick ? 2 : 5 });
  const whole = !options.only && !options.quick && !options.fill;
  if (whole) run.lighthouse = await measureLighthouse(5);
  printRest(run);
  if (whole) writeReport(run);
});
