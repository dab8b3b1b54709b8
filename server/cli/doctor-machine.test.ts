import { KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../config.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import { listen } from "../testing/free-port.ts";
import { type Env, run, waitForExit } from "../testing/program.ts";
import { openTestDatabase } from "../testing/test-connections.ts";
import { machineOf } from "./doctor.ts";

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

async function serve(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return await listen(server);
}

/** The certificate is valid for `days`. Returns settings that trust it. */
async function serveTls(days: number, answer: RequestListener) {
  const certificate = await createCertificate(days);
  const path = join(folder, `${days}.pem`);
  await writeFile(path, certificate.cert);
  const port = await serve(createTlsServer(certificate, answer));
  return { PUBLIC_URL: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: path };
}

test("doctor checks the website and its certificate, the machine's clock, and the age of the last backup", async () => {
  let offset = 0;
  const clock: RequestListener = (_, response) =>
    response.setHeader("date", new Date(Date.now() + offset).toUTCString()).end();
  const s3 = {
    S3_ENDPOINT: `http://127.0.0.1:${await serve(createServer(clock))}`,
    S3_BUCKET: "photos",
    S3_ACCESS_KEY_ID: "an-id",
    S3_SECRET_ACCESS_KEY: "a secret",
  };
  const { pool } = openTestDatabase(database, 1);
  onTestFinished(() => pool.end());
  const backUp = (hours: number) =>
    pool.query("update backup_status set backed_up_at = now() - make_interval(hours => $1)", [
      hours,
    ]);
  const isOpen: RequestListener = (_, answer) => answer.end("{}");
  const fresh = await serveTls(60.5, isOpen);
  expect(await examine({ ...s3, ...fresh })).toMatchObject({
    Website: "ok: the certificate ends in 60 days",
    Clock: "ok",
    Backup: "failed: the shop was never backed up. See docs/backup.md.",
  });
  offset = -90_000;
  await backUp(5);
  const began = Date.now();
  const late = await examine({ ...s3, ...(await serveTls(3.5, isOpen)) });
  const waited = Math.ceil((Date.now() - began) / 1_000);
  expect(late).toMatchObject({
    Website:
      "failed: the certificate ends in 3 days, and was not renewed. See PUBLIC_URL and the proxy.",
    Clock: expect.stringMatching(/^failed: the clock is \d+ seconds off\. See timedatectl\.$/),
    Backup: "ok: the last one is 5 hours old",
  });
  const seconds = Number(/\d+/.exec(late.Clock ?? "")?.[0]);
  expect(seconds).toBeGreaterThanOrEqual(89);
  // On a busy machine, doctor reads the response's time late.
  expect(seconds).toBeLessThanOrEqual(91 + waited);
  await backUp(31);
  const down = await serveTls(70, (_, answer) => answer.writeHead(502).end());
  expect(await examine(down)).toMatchObject({
    Website: expect.stringMatching(/^failed: .*answers 502 instead of 200/),
    Backup: expect.stringMatching(/^failed: the last one is 31 hours old/),
  });
  const { PUBLIC_URL } = fresh;
  const config = readConfig({ ...production, DATABASE_URL: database, PUBLIC_URL });
  const [website] = machineOf(config);
  await expect(website?.check?.()).rejects.toThrow("self-signed certificate");
});

async function createCertificate(days: number): Promise<{ key: string; cert: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=localhost",
    extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: "localhost" }])],
    notBefore: daysFromNow(-1),
    notAfter: daysFromNow(days),
    signingAlgorithm: algorithm,
    keys,
  });
  const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
  return { key: String(key), cert: certificate.toString("pem") };
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * 24 * 3_600_000);
}
