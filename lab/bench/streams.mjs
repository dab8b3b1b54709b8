/**
 * Measures a program's event streams: the memory of idle streams, how soon a message reaches the
 * other party, and how soon all streams end after SIGTERM. Client and server share the cores.
 *   npm run bench:streams -- --streams 5000
 */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { memoryOf, startFloor } from "./processes.mjs";
import { besideShop, requestText, signedIn } from "./shop.mjs";

const { values } = parseArgs({ options: { streams: { type: "string", default: "5000" } } });
const wanted = Number(values.streams);
/** Streams per member; `maxEventStreams` in `contract/messages.ts`. */
const perMember = 6;
const messages = 100;
/** Streams opened at the same time. */
const batch = 50;
/** Long enough for two heartbeats to every stream. */
const idleMs = 45_000;

await besideShop(10_000, measure);

async function measure({ site, port, pid, db }) {
  const members = await signedIn(
    db,
    'not m.is_admin and u."emailVerified"',
    Math.ceil(wanted / perMember),
  );
  await readInboxes(members.slice(0, 50), site);
  await printFloor(members);
  const { streams, before, after } = await openIdle(members, { port, pid });
  printMemory("the product", { before, after });
  print(
    "a message until the other side has read it",
    await deliver({ site, db, members, streams }),
  );
  const closed = Promise.all(streams.map(({ ended }) => ended));
  const began = performance.now();
  process.kill(pid, "SIGTERM");
  await closed;
  console.log(`all streams ended ${Math.round(performance.now() - began)} ms after SIGTERM`);
}

/** Prints the least memory that Node needs for the same number of streams. */
async function printFloor(members) {
  const floor = await startFloor({ events: true, heartbeatMs: 20_000 });
  printMemory("bare node:http", await openIdle(members, floor));
  floor.stop();
}

function printMemory(name, { before, after }) {
  const grown = after.rss - before.rss;
  console.log(
    `${name}: ${wanted} idle streams take ${grown} MB (${before.rss} → ${after.rss} MB), ${((1024 * grown) / wanted).toFixed(1)} KB each`,
  );
}

/** Opens idle streams. Also returns the server's resident memory before and after. */
async function openIdle(members, { port, pid }) {
  await wait(2_000);
  const before = memoryOf(pid);
  const streams = await openAll(members, port);
  await wait(idleMs);
  return { streams, before, after: memoryOf(pid) };
}

/** Makes the server load the code and statements of streams before memory is measured. */
async function readInboxes(members, site) {
  for (const { token } of members) {
    const answer = await fetch(`${site}/api/messageInbox`, authorized(token));
    if (!answer.ok) throw new Error(`An inbox was refused: ${await answer.text()}`);
  }
}

function authorized(token) {
  return { headers: { authorization: `Bearer ${token}` } };
}

async function openAll(members, port) {
  const readers = Array.from({ length: wanted }, (_, at) => members[at % members.length]);
  const streams = [];
  for (let at = 0; at < readers.length; at += batch)
    streams.push(
      ...(await Promise.all(readers.slice(at, at + batch).map((one) => open(one, port)))),
    );
  return streams;
}

/** Opens a stream. Resolves with the first event. */
async function open({ id, token }, port) {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const ended = new Promise((resolve) => socket.once("close", resolve));
  const stream = { id, text: "", onText: undefined, ended };
  const headers = { accept: "text/event-stream", "accept-encoding": "identity" };
  socket.write(requestText("GET", "/api/messageEvents", { token, headers }));
  const { promise, resolve, reject } = Promise.withResolvers();
  socket.on("error", reject);
  socket.on("data", (text) => {
    stream.text += text;
    if (!stream.text.startsWith("HTTP/1.1 200")) reject(new Error(stream.text));
    if (/^id: \d+\n/m.test(stream.text)) resolve(stream);
    stream.onText?.();
  });
  return await promise;
}

/** Milliseconds until the other party, notified by a stream, has read a message. */
async function deliver({ site, db, members, streams }) {
  const ids = members.map(({ id }) => id);
  const { rows } = await db.query(
    `select c.id, c.buyer_id, p.seller_id from conversations c join products p on p.id = c.product_id
    where c.buyer_id = any($1) and p.seller_id = any($1) and p.deleted_at is null and c.buyer_id <> p.seller_id
      and not exists (select from blocked_members where member_id in (c.buyer_id, p.seller_id) and blocked_id in (c.buyer_id, p.seller_id))`,
    [ids],
  );
  if (rows.length === 0) throw new Error("No two of the members have a conversation.");
  const took = [];
  for (let sent = 0; sent < messages; sent += 1) {
    const { id, buyer_id, seller_id } = rows[sent % rows.length];
    const [sender, reader] = [buyer_id, seller_id].map((one) =>
      members.find((member) => member.id === one),
    );
    const stream = streams.find((one) => one.id === reader.id);
    const told = eventAbout(id, stream);
    const began = performance.now();
    const write = send(site, sender, id);
    await told;
    const read = await fetch(`${site}/api/conversations/${id}/messages`, authorized(reader.token));
    if (!read.ok) throw new Error(await read.text());
    await read.arrayBuffer();
    took.push(performance.now() - began);
    await write;
  }
  return took;
}

function eventAbout(conversation, stream) {
  stream.text = "";
  return new Promise((resolve) => {
    stream.onText = () => stream.text.includes(conversation) && resolve();
  });
}

async function send(site, { token }, conversation) {
  const answer = await fetch(`${site}/api/conversations/${conversation}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ text: "Is Saturday fine?", key: randomUUID() }),
  });
  if (answer.status !== 201) throw new Error(`A message was refused: ${await answer.text()}`);
}

function print(name, milliseconds) {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (share) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0);
  console.log(
    `${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms (${sorted.length} messages)`,
  );
}
