/**
 * Measures the CPU cost of traces. Three programs get the same requests in turn: one with a
 * collector and two without. The two without show how much identical programs differ. Effects
 * smaller than that can't be measured. Identical programs can differ by up to 6% for as long as
 * they run, so all are restarted several times. Cached pages are not requested, because they bypass
 * tracing.
 *
 *   npm run bench:tracing
 *   npm run bench:tracing -- --ratio 1 --starts 3
 *   npm run bench:tracing -- --warm-up 24
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { exactCpuOf, load, start } from "./processes.mjs";
import { besideShop, requestText, signedIn } from "./shop.mjs";

const { values } = parseArgs({
  options: {
    ratio: { type: "string", default: "0.01" },
    rounds: { type: "string", default: "30" },
    "warm-up": { type: "string", default: "200" },
    starts: { type: "string", default: "9" },
  },
});
const laptops = 1_000;
/** The kinds of requests. Rounds are short, so that other work affects all programs equally. */
const kinds = [
  { name: "Cheapest call of a member", requests: cheapestCall, requestsOfRound: 500 },
  { name: "Four calls of members", requests: callsOfMembers, requestsOfRound: 100 },
];
const rounds = Number(values.rounds);
/**
 * Rounds that are not counted. V8 needs thousands of requests to compile code that only 1% of the
 * requests run.
 */
const warmUp = Number(values["warm-up"]);

const collector = createServer((request, response) => {
  request.resume().once("end", () => response.end("{}"));
}).listen(0, "127.0.0.1");
await once(collector, "listening");
const settings = {
  "not traced": {},
  "not traced either": {},
  [`${Number(values.ratio) * 100} % traced`]: {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
    OTEL_TRACES_SAMPLER_ARG: values.ratio,
  },
};
const [base, ...others] = Object.keys(settings);

const costs = [];
for (let start = 0; start < Number(values.starts); start += 1)
  await besidePrograms(Object.keys(settings), async (programs) => {
    for (const kind of kinds) costs.push({ kind, ...(await costsOf(programs, kind)) });
  });
collector.close();
for (const kind of kinds) {
  const ofKind = costs.filter((one) => one.kind === kind);
  const summaryOf = (name, divisor) => summary(ofKind.map((one) => one[name] / one[divisor]));
  console.log(
    `${kind.name}, ${base}: ${summary(ofKind.map((one) => one[base]))} ms of CPU a request`,
  );
  for (const name of others)
    console.log(`${kind.name}, ${name}: ${summaryOf(name, base)} times that`);
}

/** Starts a program for each name. All programs run at the same time. */
async function besidePrograms([name, ...more], measure, started = {}) {
  if (name === undefined) return await measure(started);
  process.env.PORT = String(4320 + 10 * more.length);
  await besideShop(
    laptops,
    async (shop) => await besidePrograms(more, measure, { ...started, [name]: shop }),
    settings[name],
  );
}

/** CPU milliseconds per request, by program. */
async function costsOf(programs, { name, requests, requestsOfRound }) {
  const client = start("load-client.mjs", "client");
  const names = Object.keys(programs);
  const prepared = {};
  for (const one of names) {
    const asked = await requests(programs[one]);
    const ofRound = Array.from({ length: requestsOfRound }, (_, at) => asked[at % asked.length]);
    prepared[one] = { ...programs[one], requests: ofRound };
  }
  const sums = Object.fromEntries(names.map((one) => [one, 0]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    // Each program is equally often first, second and last.
    const order = names.map((_, place) => names[(place + round) % names.length]);
    for (const one of order) {
      const cpu = await cpuOfRequests(client, prepared[one]);
      if (round >= warmUp) sums[one] += cpu / requestsOfRound / rounds;
    }
  }
  client.disconnect();
  console.log(`${name}: ${names.map((one) => `${one} ${sums[one].toFixed(3)} ms`).join(", ")}`);
  return sums;
}

async function cheapestCall({ db }) {
  const members = await signedIn(db, "true", 100);
  return members.map(({ email, token }) =>
    requestText("GET", `/api/users/seller/${encodeURIComponent(email)}`, { token }),
  );
}

async function callsOfMembers(shop) {
  const buyers = await signedIn(shop.db, "m.id in (select buyer_id from bookings)", 25);
  const sellers = await signedIn(shop.db, "m.account_type = 'seller'", 25);
  const cheapest = await cheapestCall(shop);
  return Array.from({ length: 25 }, (_, at) => {
    const buyer = buyers[at % buyers.length];
    const seller = sellers[at % sellers.length];
    const read = (path, { token }) => requestText("GET", path, { token });
    return [
      cheapest[at],
      read(`/api/bookingProducts/${encodeURIComponent(buyer.email)}?limit=24`, buyer),
      read(`/api/products/${encodeURIComponent(seller.email)}?limit=24`, seller),
      read("/api/sellerOverview", seller),
    ];
  }).flat();
}

/** CPU milliseconds of the server process, without PostgreSQL. */
async function cpuOfRequests(client, { port, pid, requests }) {
  const before = exactCpuOf(pid);
  const run = { port, requests, connections: 10, milliseconds: 600_000, once: true };
  const { statuses } = await load(client, run);
  if (statuses["200"] !== requests.length) throw new Error(`Refused: ${JSON.stringify(statuses)}`);
  return exactCpuOf(pid) - before;
}

/**
 * The median and its 95% confidence interval, from the ranks of a binomial distribution. With fewer
 * than six numbers, the interval is the full range.
 */
function summary(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const reach = sorted.length < 6 ? middle : 0.98 * Math.sqrt(sorted.length);
  const at = (rank) =>
    sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(rank)))].toFixed(3);
  const confidence = sorted.length < 6 ? "lowest and highest" : "95 % confidence";
  return `${at(middle)} (${at(middle - reach)} to ${at(middle + reach)}, ${confidence})`;
}
