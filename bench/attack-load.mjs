import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { finish } from "../scripts/run.mjs";
import { besideProgram } from "./server-process.mjs";

/** What Home may take for 99 of 100 visitors, in milliseconds. */
const mostP99 = 100;
const visitorsPerSecond = 50;
const sellers = ["seller@demo.test", "devon@demo.test", "priya@demo.test"];
const password = "Demo#2026";

/**
 * `npm run attack-load`: how long Home takes while the program, with its limits as they are by default, is
 * attacked from other addresses of this machine. Needs Linux, where all of 127.0.0.0/8 is this machine.
 */
await finish(() => besideProgram(measure, {}));

async function measure({ site }) {
  const png = await interlacedPng();
  const tokens = await Promise.all(sellers.map((email) => signIn(site, email)));
  await (await fetch(site)).text();
  const attacks = {
    "none, for comparison": () => wait(10_000).then(() => []),
    "300 wrong sign-ins from one address": () => wrongSignIns(site),
    "30 interlaced PNG uploads": () => uploads(site, { png, tokens }),
    "unknown paths from six addresses": () => unknownPaths(site),
  };
  const results = {};
  for (const [name, attack] of Object.entries(attacks)) {
    results[name] = await homeDuring(site, attack);
    // What the attack left behind is not the next one's.
    await wait(5_000);
  }
  console.table(results);
  return Object.values(results).some((result) => !(result["p99 ms"] < mostP99)) ? 1 : 0;
}

/** Home's times during an attack: by when each visitor was due, so that a pause counts for all who wait. */
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

/** A visitor with a connection of their own, one of 200 addresses, so that no limit is theirs. */
async function visitHome(site, n) {
  const localAddress = `127.0.1.${1 + (n % 200)}`;
  const { status } = await ask(site, "/", { localAddress, agent: false });
  return status;
}

async function wrongSignIns(site) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200, localAddress: "127.0.0.2" });
  const one = (n) =>
    ask(site, "/api/auth/sign-in/email", {
      agent,
      method: "POST",
      headers: { "content-type": "application/json", origin: site },
      body: JSON.stringify({
        email: n % 2 ? sellers[0] : `${randomUUID()}@demo.test`,
        password: `Wrong#${n}`,
      }),
    });
  return await statusesOf(Array.from({ length: 300 }, (_, n) => one(n)));
}

async function uploads(site, { png, tokens }) {
  const boundary = "interlaced";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), png, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const agent = new Agent({ keepAlive: true, localAddress: "127.0.0.2" });
  const one = (n) =>
    ask(site, "/api/images/1/upload?key=embedded", {
      agent,
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens[n % tokens.length]}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
        "content-length": body.length,
      },
      body,
    });
  return await statusesOf(Array.from({ length: 30 }, (_, n) => one(n)));
}

async function unknownPaths(site) {
  const until = performance.now() + 15_000;
  const lanes = Array.from({ length: 24 }, async (_, lane) => {
    const localAddress = `127.0.0.${2 + (lane % 6)}`;
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
    const statuses = [];
    while (performance.now() < until)
      for (const path of [
        `/${randomUUID()}`,
        `/categoryProducts/${randomUUID()}`,
        `/dashboard/payment/${randomUUID()}`,
        `/blogs${"/".repeat(1 + (statuses.length % 9))}`,
      ])
        statuses.push((await ask(site, path, { agent })).status);
    agent.destroy();
    return statuses;
  });
  return (await Promise.all(lanes)).flat();
}

/** Asks from an address of this machine; a connection that broke has the status "broken". */
async function ask(site, path, { body, ...options }) {
  try {
    const [answer] = await once(request(`${site}${path}`, options).end(body), "response");
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  } catch {
    return { status: "broken" };
  }
}

async function statusesOf(asked) {
  return (await Promise.all(asked)).map(({ status }) => status);
}

function countOf(statuses) {
  const groups = Object.entries(Object.groupBy(statuses, (status) => status));
  return groups.map(([status, { length }]) => `${length} × ${status}`).join(", ");
}

/** An access token of a demo account. */
async function signIn(site, email) {
  const headers = { "content-type": "application/json", origin: site };
  const entered = await ask(site, "/api/auth/sign-in/email", {
    method: "POST",
    headers,
    body: JSON.stringify({ email, password }),
  });
  const cookie = entered.headers["set-cookie"].map((one) => one.split(";")[0]).join("; ");
  const { body } = await ask(site, `/api/jwt?email=${email}`, { headers: { cookie } });
  return JSON.parse(body).accessToken;
}

/** 49 megapixels that compress well, in seven passes over all of them. */
async function interlacedPng() {
  const background = { r: 90, g: 120, b: 150 };
  return await sharp({ create: { width: 7000, height: 7000, channels: 3, background } })
    .png({ progressive: true })
    .toBuffer();
}
