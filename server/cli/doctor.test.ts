import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { diskImages } from "../adapters/images/image-store.ts";
import { systemClock } from "../clock.ts";
import { readConfig } from "../config.ts";
import { failureSentence } from "../http/logging.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import { startTestFirebase } from "../testing/firebase.ts";
import { freePort } from "../testing/free-port.ts";
import { photosOnly, startS3 } from "../testing/photo-stores.ts";
import { type Env, run, waitForExit } from "../testing/program.ts";
import { startTestSmtpServer, type TestSmtpServer } from "../testing/smtp-server.ts";
import { version } from "../version.ts";
import { servicesOf } from "./services.ts";

let s3: Awaited<ReturnType<typeof startS3>>;
let smtp: TestSmtpServer;
let database: string;

beforeAll(async () => {
  [s3, smtp] = await Promise.all([startS3(), startTestSmtpServer({ allowInsecureAuth: true })]);
  database = await createTestDatabase("doctor");
});
afterAll(async () => {
  await Promise.all([s3.close(), smtp.close()]);
});

async function examine(env: Env) {
  const { code, said } = await waitForExit(
    run({ DATABASE_URL: database, ...s3.env, ...env }, ["server/cli/doctor.ts"]),
  );
  const rows = said.trim().split("\n").slice(2);
  const states = Object.fromEntries(
    rows.map((row) => {
      const cells = row.split(/ {2,}/);
      return [cells[0], cells.at(-1)];
    }),
  );
  return { code, said, states };
}

/** Returns undefined if there is no problem. */
async function problemOf(name: string, env: Env): Promise<string | undefined> {
  const config = readConfig({ NODE_ENV: "test", DEMO: "0", DATABASE_URL: database, ...env });
  const service = servicesOf(config).find((one) => one.name === name);
  if (!service?.check) throw new Error(`doctor does not check ${name}`);
  return await service.check().then(
    () => undefined,
    (error: Error) => failureSentence(error, service.settings),
  );
}

const smtpUrl = (password: string) =>
  `smtp://shop:${password}@127.0.0.1:${smtp.port}/?requireTLS=false`;

test("doctor reports ok for services that respond and accept the credentials", async () => {
  const env = { SMTP_URL: smtpUrl("secret"), DATA_DIR: tmpdir() };
  const { code, said, states } = await examine(env);
  expect(said.split("\n")[0]).toBe(`Secondlap ${version}`);
  expect(states).toEqual({
    Database: "ok",
    Mail: "ok",
    Photos: "ok",
    "Photos: private": "ok",
    Disk: expect.stringMatching(/^ok: \d+ MB of \d+ MB are free$/),
    Cards: "not checked: npm start starts it",
    "Sign-in: Google": "not checked: npm start starts it",
  });
  expect(code).toBe(0);
});

test("doctor refuses options, because it has none", async () => {
  const { code, said } = await waitForExit(run({}, ["server/cli/doctor.ts", "--x"]));
  expect([code, said]).toEqual([1, "Usage: npm run doctor   (it has no options)\n"]);
});

test("doctor fails if anyone can read private photos in S3, and deletes its test photo", async () => {
  const problem = (env: Env) => problemOf("Photos: private", { ...s3.env, ...env });
  s3.publicKeys = /./;
  const open = await problem({});
  s3.publicKeys = photosOnly;
  expect(open).toBe(
    `failed: Anybody can read private/ at ${new URL(s3.url).host}. See Private photos in docs/operations.md.`,
  );
  const cdn = { S3_PUBLIC_URL: `${s3.url}/${s3.env.S3_BUCKET}` };
  expect(await problem(cdn)).toBeUndefined();
  expect([...s3.objects.keys()]).toEqual([]);
});

test("doctor shows the reason and the setting for each failed service, without secrets", async () => {
  const { code, states, said } = await examine({
    DATABASE_URL: "postgres://shop:db-secret@127.0.0.1:9/shop",
    SMTP_URL: smtpUrl("wrong-secret"),
    S3_SECRET_ACCESS_KEY: "wrong-secret-of-S3",
    OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OIDC_CLIENT_ID: "shop",
    OIDC_CLIENT_SECRET: "wrong-secret-of-OIDC",
    OIDC_LABEL: "Acme",
  });
  expect(states).toMatchObject({
    Database: "failed: connect ECONNREFUSED 127.0.0.1:9. See DATABASE_URL.",
    Mail: expect.stringMatching(/^failed: .*535.* See SMTP_URL\.$/),
    Photos: expect.stringMatching(/^failed: .* See .*S3_SECRET_ACCESS_KEY\.$/),
    "Sign-in: Acme": expect.stringMatching(/^failed: .*ECONNREFUSED.* See OIDC_ISSUER\.$/),
  });
  expect(code).toBe(1);
  expect(said).not.toMatch(/secret(?!_ACCESS_KEY)/i);
});

test("doctor reports private photos on disk that other users can read, a wrong Firebase API key, and a Firebase that is down", async () => {
  const firebase = await startTestFirebase(systemClock);
  const dataDir = await mkdtemp(join(tmpdir(), "secondlap-doctor-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const shop = { DATA_DIR: dataDir, ...firebase.env, ...firebase.emulatorEnv };
  const problems = async (env: Env = {}) => [
    await problemOf("Photos: private", { ...shop, ...env }),
    await problemOf("Sign-in: Firebase", { ...shop, ...env }),
  ];
  expect(await problems()).toEqual([undefined, undefined]);
  const folder = join(dataDir, "images");
  await diskImages(folder).put("private/ab.jpg", Buffer.from("bytes"));
  expect(await problems({ FIREBASE_API_KEY: "another" })).toEqual([
    undefined,
    "failed: Firebase: API_KEY_INVALID. See FIREBASE_API_KEY and FIREBASE_SERVICE_ACCOUNT.",
  ]);
  await chmod(join(folder, "private", "ab", "ab.jpg"), 0o644);
  await firebase.close();
  expect(await problems()).toEqual([
    expect.stringMatching(/^failed: Other users .* can read .*ab\.jpg\. Run chmod/),
    expect.stringMatching(/^failed: .*ECONNREFUSED.* See FIREBASE_API_KEY/),
  ]);
});
