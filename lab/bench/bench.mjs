import { parseArgs } from "node:util";
import { finish } from "../../scripts/run.mjs";
import { measureLighthouse } from "./lighthouse.mjs";
import { measureProcess } from "./process-figures.mjs";
import { load, placement, start, startFloor } from "./processes.mjs";
import { printRest, printRows, writeReport } from "./report.mjs";
import { scenarios } from "./scenarios.mjs";
import { besideShop } from "./shop.mjs";

const { values: options } = parseArgs({
  options: {
    fill: { type: "string" },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
  },
});

/**
 * `npm run bench` compares each scenario with its floor, a minimal server (scenarios.mjs), at
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

/** Measures product and floor in alternation, so that other load affects both. Returns medians. */
async function measureScenarios(shop, { chosen, connections, rounds, milliseconds }) {
  const client = start("load-client.mjs", "client");
  try {
    return await measureAll(client, shop, { chosen, connections, rounds, milliseconds });
  } finally {
    client.disconnect();
  }
}

async function measureAll(client, shop, { chosen, connections, rounds, milliseconds }) {
  const rows = [];
  const [{ _id: category }] = await (await fetch(`${shop.site}/api/categories`)).json();
  for (const scenario of scenarios.filter(({ name }) => chosen(name)))
    for (const count of connections) {
      const prepared = await scenario.prepare({ ...shop, category });
      if (prepared.requests.length === 0) continue;
      const sizes = { connections: count, milliseconds, rounds, once: scenario.once };
      rows.push({
        scenario: scenario.name,
        connections: count,
        ...(await compare(client, shop, prepared, sizes)),
      });
      console.log(rows.at(-1));
    }
  return rows;
}

async function compare(client, { port, databaseUrl }, prepared, sizes) {
  const floor = prepared.floorPort
    ? { port: prepared.floorPort, stop() {} }
    : await startFloor({ ...prepared.floor, databaseUrl });
  try {
    return await compareRounds(client, { port, floor }, prepared, sizes);
  } finally {
    floor.stop();
  }
}

async function compareRounds(client, { port, floor }, prepared, { rounds, ...sizes }) {
  const { requests, floorRequests, during, status = 200 } = prepared;
  const [ours, bare] = [[], []];
  // The first round fills caches and compiles code, so it isn't counted.
  const counted = sizes.once ? 1 : rounds;
  const part = sizes.once ? onceIn : shifted;
  for (let round = 0; round <= counted; round += 1) {
    const milliseconds = round === 0 ? 500 : sizes.milliseconds;
    const run = (of) => ({ ...sizes, milliseconds, requests: part(of, round, counted) });
    const stop = during?.();
    const one = await load(client, { port, ...run(requests) });
    await stop?.();
    const other = await load(client, { port: floor.port, ...run(floorRequests) });
    requireStatus(one, status);
    if (round === 0) continue;
    ours.push(one);
    bare.push(other);
  }
  const [mine, floorMedian] = [median(ours), median(bare)];
  return {
    rate: round(mine.rate),
    floorRate: round(floorMedian.rate),
    ratio: Number((mine.rate / floorMedian.rate).toFixed(2)),
    p50: round(mine.p50),
    p99: round(mine.p99),
    floorP99: round(floorMedian.p99),
  };
}

/** Rotates the requests, so that each round begins with different requests. */
function shifted(requests, round, rounds) {
  const at = Math.floor((requests.length * round) / (rounds + 1));
  return [...requests.slice(at), ...requests.slice(0, at)];
}

/** Returns a tenth of the requests for round 0, and the others after that. Each is sent once. */
function onceIn(requests, round) {
  const warmUp = Math.floor(requests.length / 10);
  return round === 0 ? requests.slice(0, warmUp) : requests.slice(warmUp);
}

function requireStatus({ statuses }, expected) {
  const others = Object.keys(statuses).filter((status) => Number(status) !== expected);
  if (others.length > 0)
    throw new Error(`Not all answers were ${expected}: ${JSON.stringify(statuses)}`);
}

function median(found) {
  return found.toSorted((one, other) => one.rate - other.rate)[Math.floor(found.length / 2)];
}

function round(number) {
  return Number(number.toPrecision(3));
}
