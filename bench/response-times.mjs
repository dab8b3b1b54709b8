import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { buffer } from "node:stream/consumers";
import { finish } from "../scripts/run.mjs";
import { besideProgram } from "./server-process.mjs";

const connections = 16;
const milliseconds = 2_000;
const rounds = 5;

/**
 * `npm run bench`: how fast what is public is answered, beside a bare Node server that sends the very same
 * bytes. Both are asked in turn, in one run, over the same few connections; the median of the rounds counts.
 */
await finish(() =>
  besideProgram(async ({ site, pid }) => {
    const [{ _id }] = await (await fetch(`${site}/api/categories`)).json();
    const table = {};
    for (const path of ["/", "/blogs", "/api/categories", `/api/categoryProducts/${_id}`])
      table[path.replace(_id, "{id}")] = await compare(site, path);
    console.table(table);
    const status = `/proc/${pid}/status`;
    const kilobytes = existsSync(status) && /VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))[1];
    if (kilobytes) console.log(`Memory of the server by then: ${Math.round(kilobytes / 1024)} MB.`);
  }),
);

async function compare(site, path) {
  const answer = await ask(site, path);
  const floor = fork(join(import.meta.dirname, "baseline-server.mjs"));
  floor.send(answer);
  const [floorPort] = await once(floor, "message");
  const ours = [];
  const bare = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await hammer(Number(new URL(site).port), path));
    bare.push(await hammer(floorPort, path));
  }
  floor.disconnect();
  const [rate, floorRate] = [ours, bare].map((found) => median(found.map((one) => one.rate)));
  return {
    bytes: Buffer.from(answer.body, "base64").length,
    "answers a second": Math.round(rate),
    "bare Node's": Math.round(floorRate),
    ratio: Number((rate / floorRate).toFixed(2)),
    "p99 ms": Number(median(ours.map((one) => one.p99)).toFixed(1)),
    "bare p99 ms": Number(median(bare.map((one) => one.p99)).toFixed(1)),
  };
}

/** An answer as browsers get it: compressed. */
async function ask(site, path) {
  const [response] = await once(
    request(`${site}${path}`, { headers: { "accept-encoding": "br" } }).end(),
    "response",
  );
  const { statusCode: status, headers } = response;
  return { status, headers, body: (await buffer(response)).toString("base64") };
}

/** Asks over each connection again as soon as the answer is there; every answer is as long as the first. */
async function hammer(port, path) {
  const times = [];
  const until = performance.now() + milliseconds;
  const lanes = Array.from({ length: connections }, () => lane({ port, path, until, times }));
  await Promise.all(lanes);
  times.sort((one, other) => one - other);
  return {
    rate: (times.length * 1000) / milliseconds,
    p99: times[Math.floor(times.length * 0.99)],
  };
}

async function lane({ port, path, until, times }) {
  const socket = connect(port, "127.0.0.1");
  const asking = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept-encoding: br\r\n\r\n`;
  let length;
  while (performance.now() < until) {
    const asked = performance.now();
    socket.write(asking);
    let head = "";
    for (let got = 0; length === undefined || got < length; ) {
      const [chunk] = await once(socket, "data");
      got += chunk.length;
      if (length === undefined) {
        head += chunk.toString("latin1");
        length = lengthOf(head);
      }
    }
    times.push(performance.now() - asked);
  }
  socket.destroy();
}

/** Of the whole answer, as soon as its head is there. */
function lengthOf(head) {
  const end = head.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  if (!head.startsWith("HTTP/1.1 200 ")) throw new Error(head.slice(0, end));
  return end + 4 + Number(/^content-length: (\d+)/im.exec(head)[1]);
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
