import { once } from "node:events";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";

/** Each connection sends one request at a time. With `once`, no request is sent twice. */
process.on("message", async ({ port, requests, connections, milliseconds, once: single }) => {
  const started = performance.now();
  const run = {
    port,
    requests,
    single,
    next: 0,
    until: started + milliseconds,
    times: [],
    statuses: {},
  };
  await Promise.all(Array.from({ length: connections }, () => lane(run)));
  process.send({ ...summary(run, performance.now() - started), statuses: run.statuses });
});
process.once("disconnect", () => process.exit());

async function lane(run) {
  const socket = connect(run.port, "127.0.0.1").setNoDelay();
  await once(socket, "connect");
  while (performance.now() < run.until) {
    if (run.single && run.next >= run.requests.length) break;
    const request = run.requests[run.next++ % run.requests.length];
    const asked = performance.now();
    socket.write(request, "latin1");
    const status = await readAnswer(socket);
    run.times.push(performance.now() - asked);
    run.statuses[status] = (run.statuses[status] ?? 0) + 1;
  }
  socket.destroy();
}

async function readAnswer(socket) {
  let head = "";
  let length;
  for (let got = 0; length === undefined || got < length; ) {
    const [chunk] = await once(socket, "data");
    got += chunk.length;
    if (length !== undefined) continue;
    head += chunk.toString("latin1");
    const end = head.indexOf("\r\n\r\n");
    if (end >= 0)
      length = end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error(`An answer without a length: ${head.slice(0, end)}`);
  }
  return head.slice(9, 12);
}

function summary({ times }, elapsed) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return {
    rate: (times.length * 1000) / elapsed,
    p50: at(0.5),
    p99: at(0.99),
  };
}
