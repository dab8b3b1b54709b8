/**
 * What traces cost: the same requests of three programs in turn, one of them with a collector and two without, by the
 * processor time of each. The second one without says how far two equal programs differ: nothing smaller is known.
 * Programs are started anew several times, because equal ones differ by up to 6 % for as long as they run.
 *   npm run bench:tracing
 *   npm run bench:tracing -- --ratio 1 --starts 3
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
    starts: { type: "string", default: "9" },
  },
});
const laptops = 1_000;
/** Short, so that what else the machine does meets all three alike. */
const requestsOfRound = 500;
/** Rounds that compile, and are not counted. */
const warmUp = 24;
const rounds = Number(values.rounds);

const collector = createServer((request, response) => {
  request.resume().once("end", () => response.end("{}"));
}).listen(0, "127.0.0.1");
await once(collector, "listening");
const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
  OTEL_TRACES_SAMPLER_ARG: values.ratio,
};

const medians = { control: [], traced: [] };
for (let started = 0; started < Number(values.starts); started += 1)
  await besidePrograms({ plain: {}, control: {}, traced: tracing }, compare);
collector.close();
for (const [name, title] of Object.entries(titles()))
  console.log(`${title}: ${summary(medians[name])} times that, in ${values.starts} starts`);

/** Starts a program for each of the settings, one within the other. */
async function besidePrograms(settings, measure, started = {}) {
  const [name, ...others] = Object.keys(settings).filter((one) => !(one in started));
  if (name === undefined) return await measure(started);
  process.env.PORT = String(4320 + 10 * others.length);
  await besideShop(
    laptops,
    async (shop) => await besidePrograms(settings, measure, { ...started, [name]: shop }),
    settings[name],
  );
}

async function compare(programs) {
  const client = start("load-client.mjs", "client");
  const names = Object.keys(programs);
  const prepared = {};
  for (const name of names) prepared[name] = await withRequests(programs[name]);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    // Each is first, second and last equally often.
    const order = names.map((_, place) => names[(place + round) % names.length]);
    for (const name of order) {
      const cpu = await cpuOfRequest(client, prepared[name]);
      if (round >= warmUp) times[name].push(cpu);
    }
  }
  client.disconnect();
  console.log(`Not traced: ${summary(times.plain)} ms of processor time a request`);
  for (const [name, title] of Object.entries(titles())) {
    const ratios = times[name].map((cpu, at) => cpu / times.plain[at]);
    medians[name].push(medianOf(ratios));
    console.log(`${title}: ${summary(ratios)} times that`);
  }
}

function titles() {
  return { control: "Not traced either", traced: `${Number(values.ratio) * 100} % traced` };
}

function medianOf(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function withRequests({ db, port, pid }) {
  const members = await signedIn(db, "true", 100);
  const requests = Array.from({ length: requestsOfRound }, (_, at) => {
    const { email, token } = members[at % members.length];
    return requestText("GET", `/api/users/seller/${encodeURIComponent(email)}`, { token });
  });
  return { port, pid, requests };
}

/** Milliseconds of the server process, without PostgreSQL. */
async function cpuOfRequest(client, { port, pid, requests }) {
  const before = exactCpuOf(pid);
  const run = { port, requests, connections: 10, milliseconds: 600_000, once: true };
  const { statuses } = await load(client, run);
  if (statuses["200"] !== requests.length) throw new Error(`Refused: ${JSON.stringify(statuses)}`);
  return (exactCpuOf(pid) - before) / requests.length;
}

/** The median, and where it lies with 95 % confidence: the ranks are those of a binomial distribution. */
function summary(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const reach = 0.98 * Math.sqrt(sorted.length);
  const at = (rank) =>
    sorted[Math.max(0, Math.min(sorted.length - 1, Math.round(rank)))].toFixed(3);
  return `${at(middle)} (${at(middle - reach)} to ${at(middle + reach)} with 95 % confidence)`;
}
