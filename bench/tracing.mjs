/**
 * What traces cost: the same calls of two programs in turn, one of them with a collector, by the processor time of
 * each call.
 *   npm run bench:tracing
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { cpuOf, load, start } from "./processes.mjs";
import { besideShop, requestText, signedIn } from "./shop.mjs";

const laptops = 1_000;
const rounds = 9;
const milliseconds = 4_000;

const collector = createServer((request, response) => {
  request.resume().once("end", () => response.end("{}"));
}).listen(0, "127.0.0.1");
await once(collector, "listening");
const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${collector.address().port}`;

for (const ratio of ["0.01", "1"]) {
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: ratio };
  const cost = await besideBoth(tracing, compare);
  console.log(`${Number(ratio) * 100} % traced: ${cost.toFixed(3)} times the processor time`);
}
collector.close();

async function besideBoth(tracing, measure) {
  process.env.PORT = "4320";
  const { rows } = await besideShop(laptops, async (plain) => {
    process.env.PORT = "4330";
    return await besideShop(laptops, (traced) => measure({ plain, traced }), tracing);
  });
  return rows.rows;
}

/** The median ratio of the rounds; the first one compiles, and is not counted. */
async function compare({ plain, traced }) {
  const client = start("load-client.mjs", "client");
  const both = [await withRequests(plain), await withRequests(traced)];
  const ratios = [];
  for (let round = 0; round <= rounds; round += 1) {
    const least = await cpuPerCall(client, both[0]);
    const cost = await cpuPerCall(client, both[1]);
    if (round > 0) ratios.push(cost / least);
  }
  client.disconnect();
  return ratios.toSorted((one, other) => one - other)[Math.floor(rounds / 2)];
}

async function withRequests({ db, port, pid }) {
  const members = await signedIn(db, "true", 100);
  const requests = members.map(({ email, token }) =>
    requestText("GET", `/api/users/seller/${encodeURIComponent(email)}`, { token }),
  );
  return { port, pid, requests };
}

/** Milliseconds of the server process, without PostgreSQL. */
async function cpuPerCall(client, { port, pid, requests }) {
  const isServer = (command) => command.includes("server/main.ts");
  const before = cpuOf(pid, isServer);
  const { count, statuses } = await load(client, { port, requests, connections: 10, milliseconds });
  if (statuses["200"] !== count) throw new Error(`Refused: ${JSON.stringify(statuses)}`);
  return (cpuOf(pid, isServer) - before) / count;
}
