import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { performance } from "node:perf_hooks";
import sharp from "sharp";
import { ask } from "./ask.mjs";

/**
 * Runs one attack on `site` and sends the statuses of the responses to the parent. A separate
 * process keeps the attack out of the event loop that measures the visitors' times.
 */
const sellers = ["seller@demo.test", "devon@demo.test", "priya@demo.test"];
const password = "Demo#2026";
const attacks = { wrongSignIns, uploads, unknownPaths };
const [, , name, site] = process.argv;
process.send(await attacks[name](site));

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

async function uploads(site) {
  const png = await interlacedPng();
  const tokens = await Promise.all(sellers.map((email) => signIn(site, email)));
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

async function statusesOf(asked) {
  return (await Promise.all(asked)).map(({ status }) => status);
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

/** A PNG of 49 megapixels that compresses well, interlaced in seven passes. */
async function interlacedPng() {
  const background = { r: 90, g: 120, b: 150 };
  return await sharp({ create: { width: 7000, height: 7000, channels: 3, background } })
    .png({ progressive: true })
    .toBuffer();
}
