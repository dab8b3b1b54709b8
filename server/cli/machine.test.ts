import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createCertificate } from "../testing/certificate.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import { type Env, run, waitForExit } from "../testing/program.ts";
import { openTestDatabase } from "../testing/test-connections.ts";

let folder: string;
let database: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-machine-"));
  database = await createTestDatabase("machine");
});
afterAll(() => rm(folder, { recursive: true }));

const production = {
  NODE_ENV: "production",
  STAGING: "1",
  RATE_LIMIT: "on",
  PASSWORD_HASHING: "strong",
  SECRET: "x".repeat(32),
  SMTP_URL: "smtp://127.0.0.1:9",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};

async function examine(env: Env): Promise<Record<string, string>> {
  const shop = { ...production, DATABASE_URL: database, DATA_DIR: folder, ...env };
  const { said } = await waitForExit(run(shop, ["server/cli/doctor.ts"]));
  const cells = said.split("\n").map((line) => line.split(/ {2,}/));
  return Object.fromEntries(cells.map((row) => [row[0], row.at(-1)]));
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Returns settings that trust the certificate. */
async function serveTls(days: number, answer: RequestListener) {
  const certificate = createCertificate(days);
  const path = join(folder, `${days}.pem`);
  await writeFile(path, certificate.cert);
  const port = await listen(createTlsServer(certificate, answer));
  return { PUBLIC_URL: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: path };
}

test("doctor requests PUBLIC_URL and shows how many days remain until the certificate expires", async () => {
  const isOpen: RequestListener = (_, answer) => answer.end("{}");
  const fresh = await serveTls(60.5, isOpen);
  expect((await examine(fresh)).Website).toBe("ok: the certificate ends in 60 days");
  const stale = await serveTls(3.5, isOpen);
  expect((await examine(stale)).Website).toBe(
    "failed: the certificate ends in 3 days, and was not renewed. See PUBLIC_URL and the proxy.",
  );
  const { PUBLIC_URL } = fresh;
  expect((await examine({ PUBLIC_URL })).Website).toMatch(/^failed: self-signed certificate/);
  const down = await serveTls(70, (_, answer) => answer.writeHead(502).end());
  expect((await examine(down)).Website).toMatch(/^failed: .*answers 502 instead of 200/);
});

test("doctor fails if the machine's clock is 90 seconds ahead of a service's clock", async () => {
  const answer: RequestListener = (_, response) =>
    response.setHeader("date", new Date(Date.now() + offset).toUTCString()).end();
  let offset = 0;
  const url = `http://127.0.0.1:${await listen(createServer(answer))}`;
  const shop = {
    PUBLIC_URL: url,
    S3_ENDPOINT: url,
    S3_BUCKET: "photos",
    S3_ACCESS_KEY_ID: "an-id",
    S3_SECRET_ACCESS_KEY: "a secret",
  };
  expect((await examine(shop)).Clock).toBe("ok");
  offset = -90_000;
  expect((await examine(shop)).Clock).toMatch(
    /^failed: the clock is (89|9[01]) seconds off\. See timedatectl\.$/,
  );
});

test("doctor shows the age of the last good backup", async () => {
  const { pool } = openTestDatabase(database, 1);
  const backUp = (hours: number | null) =>
    pool.query("update backup_status set backed_up_at = now() - make_interval(hours => $1)", [
      hours,
    ]);
  const shop = { PUBLIC_URL: "http://127.0.0.1:9" };
  expect((await examine(shop)).Backup).toBe(
    "failed: the shop was never backed up. See docs/backup.md.",
  );
  await backUp(5);
  expect((await examine(shop)).Backup).toBe("ok: the last one is 5 hours old");
  await backUp(31);
  expect((await examine(shop)).Backup).toMatch(/^failed: the last one is 31 hours old/);
  await pool.end();
});
