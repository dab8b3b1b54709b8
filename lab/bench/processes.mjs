import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

const file = (name) => new URL(name, import.meta.url);
/** Whether the server is pinned to the first core, and the client to the last. */
const pinned = process.platform === "linux" && availableParallelism() >= 2 && hasTaskset();

export const placement = pinned ? "server on core 0, client on the last core" : "not pinned";

/** Pins the process to the core for its `side`, which is "server" or "client". */
export function start(name, side) {
  const child = fork(file(name));
  pin(child.pid, side);
  return child;
}

/** The process's later threads and children run on the same core. */
export function pin(pid, side) {
  const core = side === "server" ? "0" : String(availableParallelism() - 1);
  if (pinned) taskset(core, pid);
}

/** Lets the server's own children, such as PostgreSQL, use every core. */
export function unpinChildren(pid) {
  if (!pinned) return;
  for (const child of descendants(pid)) taskset(`0-${availableParallelism() - 1}`, child);
}

function taskset(cores, pid) {
  execFileSync("taskset", ["-apc", cores, String(pid)], { stdio: "ignore" });
}

function hasTaskset() {
  try {
    execFileSync("taskset", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export async function load(client, run) {
  const finished = new AbortController();
  const { signal } = finished;
  client.send(run);
  const ended = once(client, "exit", { signal }).then(() => {
    throw new Error("The client ended.");
  });
  try {
    const [answer] = await Promise.race([once(client, "message", { signal }), ended]);
    return answer;
  } finally {
    ended.catch(() => {});
    finished.abort();
  }
}

export async function startFloor(floor) {
  const child = start("floor-server.mjs", "server");
  child.send(floor);
  const [port] = await once(child, "message");
  return { port, stop: () => child.disconnect() };
}

/** Returns resident and proportional memory in MB, or undefined without /proc. */
export function memoryOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const megabytes = (name) =>
      Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)[1]) / 1024);
    return { rss: megabytes("Rss"), pss: megabytes("Pss") };
  } catch {
    return undefined;
  }
}

/** Returns the CPU milliseconds of the matching processes among `pid` and its descendants. */
export function cpuOf(pid, matches) {
  const pids = [pid, ...descendants(pid)].filter((one) => matches(commandOf(one)));
  return pids.reduce((sum, one) => sum + ticksOf(one) * 10, 0);
}

function ticksOf(pid) {
  const fields = statOf(pid);
  return fields ? Number(fields[11]) + Number(fields[12]) : 0;
}

function descendants(pid) {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const children = all.filter((one) => statOf(one)?.[1] === String(pid));
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** Returns the fields of `/proc/…/stat` after the command: state, parent, … */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  } catch {
    return undefined;
  }
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
