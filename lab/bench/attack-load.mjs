import { fork } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { finish } from "../../scripts/run.mjs";
import { ask } from "./ask.mjs";
import { besideProgram } from "./program.mjs";

/** Maximum p99 of Home's response times, in milliseconds. */
const mostP99 = 100;
const visitorsPerSecond = 50;

/**
 * `npm run attack-load`: measures Home's response times while other IP addresses of this machine
 * attack the program with its default limits. Needs Linux, where all of 127.0.0.0/8 is this
 * machine.
 */
await finish(() => besideProgram(measure, {}));

async function measure({ site }) {
  await (await fetch(site)).text();
  const attacks = {
    "none, for comparison": () => wait(10_000).then(() => []),
    "300 wrong sign-ins from one address": () => run("wrongSignIns", site),
    "30 interlaced PNG uploads": () => run("uploads", site),
    "unknown paths from six addresses": () => run("unknownPaths", site),
  };
  const results = {};
  for (const [name, attack] of Object.entries(attacks)) {
    results[name] = await homeDuring(site, attack);
    // Gives an attack's after-effects time to end, because they would distort the next measurement.
    await wait(5_000);
  }
  console.table(results);
  return Object.values(results).some((result) => !(result["p99 ms"] < mostP99)) ? 1 : 0;
}

/**
 * Home's response times during an attack. Each time is measured from the moment when the request
 * was due, so that a request that starts late counts as slow.
 */
async function homeDuring(site, attack) {
  let over = false;
  const attacking = attack().finally(() => {
    over = true;
  });
  const began = performance.now();
  const visits = [];
  for (let n = 0; !over || n < 10 * visitorsPerSecond; n += 1) {
    const due = began + (n * 1000) / visitorsPerSecond;
    await wait(Math.max(0, due - performance.now()));
    visits.push(visitHome(site, n).then((status) => ({ status, time: performance.now() - due })));
  }
  const seen = await Promise.all(visits);
  const times = seen.map(({ time }) => time).sort((one, other) => one - other);
  const at = (part) => Number(times[Math.floor(times.length * part)].toFixed(1));
  return {
    "attack's answers": countOf(await attacking),
    "Home's answers": countOf(seen.map(({ status }) => status)),
    "p50 ms": at(0.5),
    "p99 ms": at(0.99),
    "max ms": at(0.9999),
  };
}

/** Requests Home over a new connection. Visitors use 200 IP addresses, so no rate limit applies. */
async function visitHome(site, n) {
  const localAddress = `127.0.1.${1 + (n % 200)}`;
  const { status } = await ask(site, "/", { localAddress, agent: false });
  return status;
}

/** Runs an attack in a child process. Returns the statuses of the responses. */
async function run(attack, site) {
  const attacker = fork(new URL("./attacks.mjs", import.meta.url), [attack, site]);
  const [statuses] = await once(attacker, "message");
  attacker.disconnect();
  return statuses;
}

function countOf(statuses) {
  const groups = Object.entries(Object.groupBy(statuses, (status) => status));
  return groups.map(([status, { length }]) => `${length} × ${status}`).join(", ");
}
