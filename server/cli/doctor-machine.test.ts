import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  const certificate = createCertificate(days);
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

function createCertificate(days: number): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const name = sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from("localhost")))));
  const alternative = sequence(tlv(0x82, Buffer.from("localhost")));
  const body = sequence(
    ...[tlv(0xa0, integer(2)), integer(1), algorithm, name],
    sequence(time(-1), time(days)),
    ...[name, publicKey.export({ type: "spki", format: "der" })],
    tlv(0xa3, sequence(sequence(oid("551d11"), tlv(0x04, alternative)))),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const der = sequence(body, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** Encodes a tag, its length and its value in DER (ITU-T X.690). */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, "hex"));
const integer = (value: number) => tlv(0x02, Buffer.from([value]));

function time(days: number): Buffer {
  const at = new Date(Date.now() + days * 24 * 3_600_000).toISOString();
  return tlv(0x18, Buffer.from(`${at.replaceAll(/[-:T]|\..*/g, "")}Z`));
}
