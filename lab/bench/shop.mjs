import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { systemClock } from "../../server/clock.ts";
import { createTokens } from "../../server/http/access-tokens.ts";
import { fill } from "./fill.ts";
import { pin, unpinChildren } from "./processes.mjs";
import { besideProgram } from "./program.mjs";

const secret = "a secret of the benchmark, at least 32 characters";
const tokens = createTokens({ secret }, systemClock);

export async function besideShop(laptops, measure) {
  const settings = { RATE_LIMIT: "off", DEMO: "0", SECRET: secret };
  return await besideProgram(async ({ site, folder, pid }) => {
    const databaseUrl = addressOf(folder);
    const db = new pg.Client({ connectionString: databaseUrl });
    // The connection breaks if `measure` stops the program.
    db.on("error", () => {});
    await db.connect();
    const began = performance.now();
    await fill(db, laptops);
    const fillSeconds = Math.round((performance.now() - began) / 1000);
    console.log(`Filled with ${laptops.toLocaleString("en")} laptops in ${fillSeconds} s.`);
    pin(pid, "server");
    unpinChildren(pid);
    const port = Number(new URL(site).port);
    try {
      return { fillSeconds, rows: await measure({ site, port, pid, db, databaseUrl }) };
    } finally {
      await db.end();
    }
  }, settings);
}

export function addressOf(folder) {
  const cluster = join(folder, "data/postgres");
  const { secondlap } = JSON.parse(readFileSync(join(cluster, "passwords.json"), "utf8"));
  // The lines of postmaster.pid: process, folder, start time, port, … (PostgreSQL, miscadmin.h)
  const port = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[3];
  return `postgres://secondlap:${secondlap}@127.0.0.1:${port}/secondlap`;
}

/** Returns random members who match an SQL condition, each with an access token. */
export async function signedIn(db, condition, limit) {
  const { rows } = await db.query(
    `select m.id, m.email, u.id as user_id from members m join identity."user" u using (email)
    where m.deleted_at is null and m.suspended_at is null and ${condition} order by random() limit $1`,
    [limit],
  );
  await db.query(
    `insert into identity."session" ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId")
    select 'bench-' || id, now() + interval '6 days', md5('bench-' || id), now(), now(), id
    from unnest($1::text[]) as id on conflict do nothing`,
    [rows.map((row) => row.user_id)],
  );
  const signIn = async ({ id, email, user_id }) => {
    const session = `bench-${user_id}`;
    return { id, email, session, token: await tokens.issue({ memberId: id, sessionId: session }) };
  };
  return await Promise.all(rows.map(signIn));
}

export function requestText(method, path, { token, body } = {}) {
  const json = body === undefined ? "" : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    "accept-encoding: br",
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(json
      ? ["content-type: application/json", `content-length: ${Buffer.byteLength(json)}`]
      : []),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${json}`;
}
