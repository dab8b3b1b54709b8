import { globSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { friendOffer, promoOf } from "#contract/invitation-rules.ts";
import { readConfig, readStripeSecretKey, SettingsError } from "../config.ts";
import { serviceAccountKey } from "../testing/firebase.ts";
import { withSecret } from "./secrets.ts";

const production = {
  NODE_ENV: "production",
  SECRET: "x".repeat(32),
  PUBLIC_URL: "https://laptops.example.com",
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
  SMTP_URL: "smtps://smtp.example.com",
};
const testKeys = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_PUBLISHABLE_KEY: "pk_test_1" };
const s3 = {
  S3_ENDPOINT: "https://s3.example.com",
  S3_BUCKET: "photos",
  S3_ACCESS_KEY_ID: "an id",
  S3_SECRET_ACCESS_KEY: "a secret",
};
const imgbb = {
  IMAGE_HOST_URL: "https://api.imgbb.com",
  IMAGE_HOST_KEY: "a key",
  IMAGE_HOST_DELIVERY: "i.ibb.co",
};
const firebase = {
  FIREBASE_PROJECT_ID: "laptops",
  FIREBASE_API_KEY: "a browser key",
  FIREBASE_AUTH_DOMAIN: "laptops.firebaseapp.com",
};
const emulator = { FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099" };
const oidc = {
  OIDC_ISSUER: "https://login.example.com/",
  OIDC_CLIENT_ID: "an id",
  OIDC_CLIENT_SECRET: "a secret",
};
const url = "postgres://u:p@db/x";
const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
const noTls = "PUBLIC_URL must begin with https";

const wrong: [Record<string, string>, string][] = [
  [{ PORT: "http" }, "PORT: must be a port"],
  [{ DATABASE_URL: "mysql://localhost/x" }, "DATABASE_URL"],
  [{ DATABASE_DIRECT_URL: "postgres://u:p@db/x" }, "DATABASE_DIRECT_URL is PostgreSQL behind"],
  [{ DATABASE_REPLICA_URL: "postgres://u:p@db/x" }, "DATABASE_REPLICA_URL are replicas of"],
  [{ DATABASE_URL: url, DATABASE_REPLICA_URL: `${url}, db2` }, "DATABASE_REPLICA_URL.1: must be"],
  [{ METRICS_PORT: "0" }, "METRICS_PORT"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "a host" }, "OTEL_EXPORTER_OTLP_ENDPOINT"],
  [{ OTEL_TRACES_SAMPLER_ARG: "2" }, "OTEL_TRACES_SAMPLER_ARG: must be at most 1"],
  [{ ...traced, OTEL_PROPAGATORS: "b3" }, "OTEL_PROPAGATORS must be none or tracecontext"],
  [{ ...traced, OTEL_PROPAGATORS: "tracecontext, baggage" }, "TRUST_PROXY must be set"],
  [{ SELLER_COUNTRY: "DE", UNCLAIMED_DAYS: "90" }, "UNCLAIMED_DAYS must be less than 90"],
  [{ CDN_SECONDS: "60" }, "CDN_PURGE_URL must be set"],
  [{ CDN_PURGE_URL: "https://cdn.example.com" }, "CDN_SECONDS must be set"],
  [{ METRICS_HOST: "a host" }, "METRICS_HOST"],
  [{ SHUTDOWN_DELAY: "121" }, "SHUTDOWN_DELAY: must be a number of seconds"],
  [{ DATABASE_TIMEOUT: "0" }, "DATABASE_TIMEOUT"],
  [{ SECRET: "short" }, "SECRET: must have at least 32 characters"],
  [{ STRIPE_SECRET_KEY: "sk_live_1" }, "STRIPE_WEBHOOK_SECRET"],
  [{ STATEMENT_DESCRIPTOR_SUFFIX: "12345" }, "STATEMENT_DESCRIPTOR_SUFFIX: must have 1 to 18"],
  [{ STATEMENT_DESCRIPTOR_SUFFIX: "A".repeat(19) }, "STATEMENT_DESCRIPTOR_SUFFIX"],
  [{ STATEMENT_DESCRIPTOR_SUFFIX: "Laptop's" }, "none of < > \\ ' \" *"],
  [{ STATEMENT_DESCRIPTOR_SUFFIX: "Läptops" }, "Latin characters"],
  [{ FEE_PERCNT: "5" }, "FEE_PERCNT is not a setting. Did you mean FEE_PERCENT?"],
  [{ PUBLIC_ULR: "https://a.example" }, "PUBLIC_ULR is not a setting. Did you mean PUBLIC_URL?"],
  [{ PUBLIC_URL: "https://a.example/shop" }, "PUBLIC_URL: must have no path or query"],
  [{ PUBLIC_URL: "https://a.example/?shop=1" }, "PUBLIC_URL: must have no path or query"],
  [{ SMTP_HOST: "mail.example.com" }, "SMTP_HOST is not a setting. Did you mean SMTP_URL?"],
  [{ STRIPE_SECRET_KEY_FLIE: "/x" }, "Did you mean STRIPE_SECRET_KEY_FILE?"],
  [{ NODE_ENV: "production" }, "SECRET must be set"],
  [{ NODE_ENV: "production" }, "STRIPE_SECRET_KEY must be set"],
  [{ NODE_ENV: "production" }, "SMTP_URL must be set"],
  [{ NODE_ENV: "production" }, "PUBLIC_URL must be set"],
  [{ NODE_ENV: "production", DEMO: "1" }, "DEMO must be 0"],
  [{ NODE_ENV: "production", RATE_LIMIT: "off" }, "RATE_LIMIT must be on"],
  [{ ...production, PUBLIC_URL: "http://localhost.evil.example" }, noTls],
  [{ ...production, PUBLIC_URL: "HTTP://a.example" }, noTls],
  [{ ...production, PUBLIC_URL: "http://127.0.0.1.evil.example" }, noTls],
  [{ ...production, PUBLIC_URL: "http://localhost@evil.example" }, noTls],
  [{ ...production, ...testKeys }, "STRIPE_SECRET_KEY is a test key"],
  [{ ...production, STRIPE_SECRET_KEY: "rk_test_1" }, "STRIPE_SECRET_KEY is a test key"],
  [{ ...production, STRIPE_PUBLISHABLE_KEY: "pk_test_1" }, "STRIPE_PUBLISHABLE_KEY is a test key"],
  [
    { ...production, STRIPE_WEBHOOK_SECRET: "whsec_sandbox" },
    "STRIPE_WEBHOOK_SECRET is the sandbox's",
  ],
  [
    { ...production, ...testKeys, STAGING: "1", STRIPE_WEBHOOK_SECRET: "whsec_sandbox" },
    "STRIPE_WEBHOOK_SECRET is the sandbox's",
  ],
  [
    { ...production, GOOGLE_CLIENT_ID: "an id", GOOGLE_CLIENT_SECRET: "sandbox_google_secret" },
    "GOOGLE_CLIENT_SECRET is the sandbox's",
  ],
  [{ ...production, STAGING: "1" }, "STRIPE_SECRET_KEY must be a test key"],
  [{ GOOGLE_CLIENT_ID: "an id" }, "GOOGLE_CLIENT_SECRET"],
  [{ OIDC_LABEL: "Acme" }, "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together"],
  [{ ...oidc, OIDC_CLIENT_SECRET: "" }, "OIDC_CLIENT_SECRET"],
  [{ ...oidc, OIDC_ISSUER: "login.example.com" }, "OIDC_ISSUER: must be the provider's issuer"],
  [{ ...oidc, OIDC_ISSUER: "https://login.example.com/?a" }, "OIDC_ISSUER"],
  [{ ...oidc, OIDC_LABEL: "A".repeat(31) }, "OIDC_LABEL: must have at most 30 characters"],
  [
    { ...production, ...oidc, OIDC_ISSUER: "http://login.example.com" },
    "OIDC_ISSUER must begin with https",
  ],
  [{ SMTP_URL: "https://smtp.example.com" }, "SMTP_URL"],
  [{ SMTP_URL: "smtp://" }, "SMTP_URL"],
  [{ HOST: "0.0.0.0" }, "HOST=0.0.0.0 lets other machines reach this shop"],
  [{ HOST: "192.168.1.5" }, "DEMO_PUBLIC=1"],
  [{ HOST: "localhost.evil.example" }, "NODE_ENV=production"],
  [{ SECRET_FILE: "/no/such/file" }, "SECRET_FILE: /no/such/file can't be read (ENOENT)"],
  [
    { SECRET: "x".repeat(32), SECRET_FILE: "/no/such/file" },
    "SECRET_FILE: SECRET is set too. Set one of them.",
  ],
  [
    { NODE_ENV: "production", ADMIN_SECOND_FACTOR: "optional" },
    "ADMIN_SECOND_FACTOR must be required",
  ],
  [{ NODE_ENV: "production", PASSWORD_HASHING: "quick" }, "PASSWORD_HASHING must be strong"],
  [{ S3_BUCKET: "photos", S3_ACCESS_KEY_ID: "an id" }, "S3_SECRET_ACCESS_KEY must be set"],
  [{ S3_PUBLIC_URL: "https://photos.example.com" }, "S3_BUCKET must be set"],
  [{ ...s3, S3_ENDPOINT: "" }, "S3_REGION must be set for Amazon S3"],
  [{ ...s3, S3_ENDPOINT: "s3.example.com" }, "S3_ENDPOINT: must be an address"],
  [{ ...s3, S3_BUCKET: "a/b" }, "S3_BUCKET: must be the name of a bucket"],
  [{ IMAGE_HOST_URL: imgbb.IMAGE_HOST_URL }, "IMAGE_HOST_URL and IMAGE_HOST_KEY go together"],
  [{ IMAGE_HOST_KEY: "a key" }, "IMAGE_HOST_URL and IMAGE_HOST_KEY go together"],
  [{ ...imgbb, IMAGE_HOST_URL: "http://api.imgbb.com" }, "IMAGE_HOST_URL must begin with https"],
  [{ ...imgbb, IMAGE_HOST_DELIVERY: "https://i.ibb.co" }, "IMAGE_HOST_DELIVERY: must be a host"],
  [{ ...imgbb, ...s3 }, "IMAGE_HOST_URL and S3_BUCKET are both set"],
  [
    { ...production, ...imgbb, IMAGE_HOST_URL: "http://127.0.0.1:3001" },
    "IMAGE_HOST_URL must begin with https",
  ],
  [
    { ...production, ...s3, S3_PUBLIC_URL: "http://photos.example.com" },
    "S3_PUBLIC_URL must begin with https",
  ],
  [{ FIREBASE_PROJECT_ID: "laptops" }, "FIREBASE_API_KEY must be set"],
  [emulator, "FIREBASE_PROJECT_ID must be set"],
  [{ ...firebase, FIREBASE_AUTH_DOMAIN: "https://laptops.example" }, "FIREBASE_AUTH_DOMAIN: must"],
  [{ ...firebase, FIREBASE_SERVICE_ACCOUNT: "{}" }, "FIREBASE_SERVICE_ACCOUNT: must be the JSON"],
  [
    { ...firebase, FIREBASE_SERVICE_ACCOUNT: serviceAccountKey(undefined, "other") },
    "FIREBASE_SERVICE_ACCOUNT is of the project other, not of laptops.",
  ],
  [
    { ...firebase, GOOGLE_CLIENT_ID: "an id", GOOGLE_CLIENT_SECRET: "a secret" },
    "GOOGLE_CLIENT_ID can't be used with FIREBASE_PROJECT_ID",
  ],
  [{ ...firebase, ...oidc }, "OIDC_ISSUER can't be used with FIREBASE_PROJECT_ID"],
  [{ ...firebase, DEMO: "1" }, "DEMO must be 0 with Firebase"],
  [
    { ...firebase, FIREBASE_AUTH_EMULATOR_HOST: "firebase.example.com:9099" },
    "FIREBASE_AUTH_EMULATOR_HOST: must be a host and port of this machine",
  ],
  [{ ...firebase, FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1" }, "FIREBASE_AUTH_EMULATOR_HOST: must"],
  [{ ...production, ...firebase }, "ADMIN_SECOND_FACTOR must be set to optional with Firebase"],
  [
    { ...production, ...firebase, ...emulator, ADMIN_SECOND_FACTOR: "optional" },
    "FIREBASE_AUTH_EMULATOR_HOST must be unset: at the emulator anybody can sign in as anybody.",
  ],
];
test.each(wrong)("%j is rejected, and the message says why", (env, sentence) => {
  expect(() => readConfig(env)).toThrow(SettingsError);
  expect(() => readConfig(env)).toThrow(sentence);
});

test("production settings are accepted, even with capital letters in PUBLIC_URL", () => {
  expect(readConfig(production)).toMatchObject({ production: true, staging: false });
  const { publicUrl, origins } = readConfig({ ...production, PUBLIC_URL: "HTTPS://Shop.Example/" });
  expect(publicUrl).toBe("https://shop.example");
  expect(origins).toEqual(["https://shop.example"]);
  for (const local of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:3000"])
    expect(readConfig({ ...production, PUBLIC_URL: local }).production).toBe(true);
});

test("other programs' environment variables are ignored", () => {
  const { PATH = "", HOME = "" } = process.env;
  const others = { PATH, HOME, HOSTNAME: "shop", GOOGLE_APPLICATION_CREDENTIALS: "/x", TERM: "x" };
  const ofOtel = { OTEL_EXPORTER_OTLP_HEADERS: "a=b", LOGNAME: "root", PORTS: "1", PGPORT: "5432" };
  expect(readConfig({ ...others, ...ofOtel }).port).toBe(3000);
});

test("a staging shop accepts test keys", () => {
  expect(readConfig({ ...production, ...testKeys, STAGING: "1" }).staging).toBe(true);
});

test("the demo may listen on loopback addresses, and on all addresses if DEMO_PUBLIC is set", () => {
  expect(readConfig({ HOST: "0.0.0.0", DEMO_PUBLIC: "1" }).host).toBe("0.0.0.0");
  for (const host of ["localhost", "127.0.0.1", "127.0.0.2"])
    expect(readConfig({ HOST: host }).host).toBe(host);
});

test.each([
  ["SECRET", "x".repeat(40), "secret"],
  ["PREVIOUS_SECRET", "y".repeat(40), "previousSecret"],
  ["DATABASE_URL", "postgres://u:p@db/x", "databaseUrl"],
  ["SMTP_URL", "smtps://u:p@smtp.example.com", "smtpUrl"],
] as const)("%s is read from a file, without the newline", async (name, value, key) => {
  const path = await fileWith(`${value}\n`);
  expect(readConfig({ [`${name}_FILE`]: path })[key]).toBe(value);
});

test("secrets and service keys are read from files and validated", async () => {
  const keys = {
    STRIPE_PUBLISHABLE_KEY: "pk_live_1",
    STRIPE_SECRET_KEY_FILE: await fileWith("sk_live_2\n"),
    STRIPE_WEBHOOK_SECRET_FILE: await fileWith("whsec_2"),
    GOOGLE_CLIENT_ID: "an id",
    GOOGLE_CLIENT_SECRET_FILE: await fileWith("a secret\r\n"),
  };
  expect(readConfig(keys)).toMatchObject({
    stripe: { secretKey: "sk_live_2", webhookSecret: "whsec_2" },
    google: { clientSecret: "a secret" },
  });
  const empty = await fileWith("\n");
  expect(() => readConfig({ SECRET_FILE: empty })).toThrow(`SECRET_FILE: ${empty} is empty`);
  const short = await fileWith("short");
  expect(() => readConfig({ SECRET_FILE: short })).toThrow("at least 32 characters");
  for (const path of [empty, "/no/such/file"])
    expect(readConfig({ PREVIOUS_SECRET_FILE: path }).previousSecret).toBeUndefined();
  expect(() => readConfig({ PREVIOUS_SECRET_FILE: short })).toThrow("at least 32 characters");
  expect(() => readConfig({ PREVIOUS_SECRET_FILE: "/" })).toThrow("can't be read (EISDIR)");
});

test("Stripe's secret key can be read alone, before a webhook secret exists", async () => {
  expect(readStripeSecretKey({ STRIPE_SECRET_KEY: "sk_live_1" })).toBe("sk_live_1");
  const file = await fileWith("sk_live_2\n");
  expect(readStripeSecretKey({ STRIPE_SECRET_KEY_FILE: file })).toBe("sk_live_2");
  expect(readStripeSecretKey({ STRIPE_SECRET_KEY: "" })).toBeUndefined();
  expect(() => readStripeSecretKey({ STRIPE_SECRET_KEY_FILE: "/no/such/file" })).toThrow("ENOENT");
});

test("S3 settings are read, with the secret from a file", async () => {
  const { S3_SECRET_ACCESS_KEY, ...others } = s3;
  const file = { S3_SECRET_ACCESS_KEY_FILE: await fileWith(`${S3_SECRET_ACCESS_KEY}\n`) };
  const read = readConfig({ ...others, ...file, S3_PUBLIC_URL: "https://photos.example.com/" });
  expect(read.s3).toEqual({
    endpoint: "https://s3.example.com",
    region: "us-east-1",
    bucket: "photos",
    accessKeyId: "an id",
    secretAccessKey: "a secret",
    pathStyle: false,
    publicUrl: "https://photos.example.com",
  });
  expect(readConfig({}).s3).toBeUndefined();
});

test("the image host's settings are read, with the origins that deliver its photos", () => {
  expect(readConfig(imgbb).imageHost).toEqual({
    url: "https://api.imgbb.com",
    key: "a key",
    origins: ["https://api.imgbb.com", "https://i.ibb.co"],
    local: false,
  });
  const local = { ...imgbb, IMAGE_HOST_URL: "http://127.0.0.1:3001/" };
  expect(readConfig(local).imageHost).toMatchObject({ url: "http://127.0.0.1:3001", local: true });
});

test("Firebase settings are read, with the service account from a file", async () => {
  const key = serviceAccountKey(undefined, "laptops");
  const file = { FIREBASE_SERVICE_ACCOUNT_FILE: await fileWith(key) };
  const project = {
    projectId: "laptops",
    apiKey: "a browser key",
    authDomain: "laptops.firebaseapp.com",
    emulatorUrl: undefined,
  };
  expect(readConfig({ ...firebase, ...file })).toMatchObject({
    demo: false,
    firebase: {
      ...project,
      serviceAccount: {
        clientEmail: "robot@laptops.iam.gserviceaccount.com",
        privateKey: JSON.parse(key).private_key,
      },
    },
  });
  const optional = { ADMIN_SECOND_FACTOR: "optional" };
  expect(readConfig({ ...production, ...firebase, ...optional }).firebase).toEqual(project);
  expect(readConfig({ ...firebase, ...emulator })).toMatchObject({
    demo: true,
    firebase: { emulatorUrl: "http://127.0.0.1:9099" },
  });
  expect(readConfig({}).firebase).toBeUndefined();
});

test("the development secret is random, readable only by its owner, and the same after a restart", async () => {
  const [one, other] = [await folder(), await folder()];
  const config = readConfig({ DATA_DIR: one });
  const [first, again, elsewhere] = [
    await withSecret(config),
    await withSecret(config),
    await withSecret(readConfig({ DATA_DIR: other })),
  ];
  expect(first.secret).toMatch(/^[\w-]{43}$/);
  expect(again.secret).toBe(first.secret);
  expect(elsewhere.secret).not.toBe(first.secret);
  expect((await stat(join(one, "development-secret"))).mode & 0o777).toBe(0o600);
  const both = await folder();
  const atOnce = Array.from({ length: 5 }, () => withSecret(readConfig({ DATA_DIR: both })));
  expect(new Set((await Promise.all(atOnce)).map(({ secret }) => secret)).size).toBe(1);
  expect(await readdir(both)).toEqual(["development-secret"]);
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "secondlap-config-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function fileWith(text: string): Promise<string> {
  const path = join(await folder(), "secret");
  await writeFile(path, text);
  return path;
}

test("§9.6: by default, the promo shows the specification's amounts", () => {
  const { sentence, offers } = promoOf(readConfig({}).invitations.promo);
  expect(sentence).toContain(
    "Get $10 off for inviting a friend. They get 15% off their first purchase over $200 (up to $150), and you get $20 off your next one.",
  );
  expect(offers.map(({ amount }) => amount)).toEqual(["$10", "15%", "$20"]);
});

test("the promo leaves out a credit of 0", () => {
  const rules = readConfig({}).invitations.promo;
  const one = promoOf({ ...rules, inviteCredit: 0 });
  expect(one.sentence).toMatch(/^Friends you invite get 15% off .* and you get \$20 off your next/);
  expect(one.offers.map(({ amount }) => amount)).toEqual(["15%", "$20"]);
  const none = promoOf({ ...rules, inviteCredit: 0, purchaseCredit: 0 });
  expect(none.sentence).toBe(
    "Friends you invite get 15% off their first purchase over $200 (up to $150). While supplies last.",
  );
  expect(none.offers.map(({ amount }) => amount)).toEqual(["15%"]);
  const { sentence } = promoOf({ ...rules, purchaseCredit: 0 });
  expect(sentence).toMatch(/^Get \$10 off .* \(up to \$150\)\. Your credit arrives once/);
});

test("the invitation budget defaults to $1,000 a month, and the promo and the friend's offer say that supplies are limited", () => {
  for (const env of [{}, { INVITE_BUDGET_MONTH: "" }])
    expect(readConfig(env).invitations.limits.monthlyBudget).toBe(1_000);
  const { promo, limits } = readConfig({ INVITE_BUDGET_MONTH: "500" }).invitations;
  expect(limits.monthlyBudget).toBe(500);
  expect(promoOf(promo).sentence).toMatch(
    /\. Your credit arrives once their purchase is final\. While supplies last\.$/,
  );
  expect(friendOffer(promo)).toMatch(/up to \$150, while supplies last$/);
  expect(() => readConfig({ INVITE_BUDGET_MONTH: "-1" })).toThrow(
    "INVITE_BUDGET_MONTH: must be a number of dollars from 0 to 10000000",
  );
});

test("a setting with an invalid amount is rejected with a message", () => {
  expect(() => readConfig({ INVITE_DISCOUNTS_PER_SELLER: "1.5" })).toThrow(
    "INVITE_DISCOUNTS_PER_SELLER: must be a whole number from 0 to 1000",
  );
  for (const INVITE_CREDIT of ["-1", "ten", "1000", "1.005"])
    expect(() => readConfig({ INVITE_CREDIT })).toThrow(
      "INVITE_CREDIT: must be a number of dollars from 0 to 100, with at most two decimals",
    );
});

test("in server/, only config.ts reads environment variables", () => {
  const root = join(import.meta.dirname, "..");
  const files = globSync("**/*.ts", { cwd: root }).filter(
    (file) => !/\.(test|emulator|varnish|deploy)\.ts$|^testing\//.test(file),
  );
  const readers = files.filter((file) =>
    readFileSync(join(root, file), "utf8").includes("process.env"),
  );
  expect(readers).toEqual(["config.ts"]);
});
