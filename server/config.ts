import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { stripeFields, stripeKeys, stripeProblems } from "./settings/card-payments.ts";
import { cdnFields, cdnProblems, cdnSettings } from "./settings/cdn.ts";
import { databaseFields, databaseProblems, databaseSettings } from "./settings/databases.ts";
import {
  dealTimes,
  settlementFields,
  settlementProblems,
  settlementTerms,
} from "./settings/deal-fee-and-times.ts";
import {
  between,
  fixedPort,
  flag,
  host,
  port,
  text,
  wholeNumberBetween,
} from "./settings/fields.ts";
import { firebaseFields, firebaseProblems, firebaseProject } from "./settings/firebase.ts";
import { httpTimeouts, providerTimeouts } from "./settings/http-and-provider-timeouts.ts";
import {
  imageHostConnection,
  imageHostFields,
  imageHostProblems,
  s3Connection,
  s3Fields,
  s3Problems,
} from "./settings/image-storage.ts";
import { invitationFields, invitationRewards } from "./settings/invitation-rewards.ts";
import { isLoopback, productionProblems } from "./settings/production-checks.ts";
import { readSecretFiles, secretFileNames } from "./settings/secrets.ts";
import { tracingFields, tracingProblems, tracingSettings } from "./settings/tracing.ts";
import { trustedProxies } from "./settings/trusted-proxies.ts";
import { unknownSettings } from "./settings/unknown-settings.ts";

const aCount = "must be a number of processes: a whole number from 1 to 64";
const workers = wholeNumberBetween(1, 64, aCount);
const years =
  "must be a whole number of years from 3 to 100: disputes, refunds and rewards are decided by entries of two years";
const auditYears = wholeNumberBetween(3, 100, years);
const secret = z.string().min(32, "must have at least 32 characters");
const anIssuer = "must be the provider's issuer, such as https://login.example.com/realms/staff";
const anOrigin = "must have no path or query, as in https://laptops.example.com";
const issuer = z.url({ protocol: /^https?$/, error: anIssuer }).regex(/^[^?#]*$/, anIssuer);

/** Optional, except those that `productionProblems` requires (docs/operations.md, "Settings"). */
const settings = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).optional(),
  PORT: port.default(3000),
  HOST: host.default("127.0.0.1"),
  WORKERS: workers.default(1),
  DATA_DIR: text.default(".data"),
  ...databaseFields,
  DEMO: flag.optional(),
  DEMO_PUBLIC: flag.default(false),
  DEMO_PHOTOS: z.enum(["whole", "small"]).default("whole"),
  STAGING: flag.default(false),
  RATE_LIMIT: z.enum(["on", "off"]).default("on"),
  ADMIN_SECOND_FACTOR: z.enum(["required", "optional"]).optional(),
  PASSWORD_HASHING: z.enum(["strong", "quick"]).default("strong"),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/i })
    .transform((text) => new URL(text))
    .refine(({ pathname, search, hash }) => pathname + search + hash === "/", anOrigin)
    .optional(),
  TRUST_PROXY: trustedProxies.default([]),
  SECRET: secret.optional(),
  PREVIOUS_SECRET: secret.optional(),
  METRICS_HOST: host.default("127.0.0.1"),
  METRICS_PORT: fixedPort.optional(),
  SHUTDOWN_DELAY: between(0, 120, "seconds").default(0),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).optional(),
  SANDBOX_PORT: port.optional(),
  ...stripeFields,
  ...settlementFields,
  ...invitationFields,
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  OIDC_ISSUER: issuer.optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  OIDC_LABEL: z.string().trim().min(1).max(30, "must have at most 30 characters").optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, hostname: /./ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  CONFIRM_ADDRESSES: z.enum(["required", "optional"]).optional(),
  ...firebaseFields,
  ...s3Fields,
  ...imageHostFields,
  ...cdnFields,
  /** If unset, the audit log is kept forever (decisions/audit-log). */
  AUDIT_LOG_YEARS: auditYears.optional(),
  ...tracingFields,
});

export const settingNames = Object.keys(settings.shape);

const knownNames = [...settingNames, ...secretFileNames];

type CheckedSettings = z.output<typeof settings>;

export type Config = ReturnType<typeof readConfig>;

/** `secret` signs sessions, and keys are derived from it. */
export type ConfigWithSecret = Config & { secret: string };

export class SettingsError extends Error {}

/** Throws a `SettingsError` that names invalid variables. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = withoutEmpty(env);
  rejectProblems(unknownSettings(given, knownNames));
  const { values, problems } = readSecretFiles(given);
  rejectProblems(problems);
  const parsed = settings.safeParse(values);
  if (!parsed.success) throw new SettingsError(formatIssues(parsed.error));
  const set = parsed.data;
  const production = set.NODE_ENV === "production";
  rejectProblems([
    ...databaseProblems(set),
    ...stripeProblems(set),
    ...firebaseProblems(set),
    ...s3Problems(set),
    ...settlementProblems(set),
    ...cdnProblems(set),
    ...tracingProblems(set),
    ...imageHostProblems(set, production),
  ]);
  const firebase = firebaseProject(set);
  const urls = addresses(set);
  const config = {
    production,
    development: set.NODE_ENV === "development",
    port: set.PORT,
    host: set.HOST,
    workers: set.WORKERS,
    dataDir: resolve(set.DATA_DIR),
    ...databaseSettings(set),
    demo: set.DEMO ?? (!production && (!firebase || firebase.emulatorUrl !== undefined)),
    /** A path, so that the server does not import the loader. */
    demoLoader: fileURLToPath(new URL("../demo/load-once.ts", import.meta.url)),
    demoPhotos: set.DEMO_PHOTOS,
    staging: set.STAGING,
    rateLimit: set.RATE_LIMIT === "on",
    requireAdminSecondFactor:
      (set.ADMIN_SECOND_FACTOR ?? (production ? "required" : "optional")) === "required",
    scryptCost: set.PASSWORD_HASHING === "strong" ? owaspScrypt : quickScrypt,
    trustProxy: set.TRUST_PROXY,
    httpTimeouts,
    providerTimeouts,
    ...urls,
    secret: set.SECRET,
    previousSecret: set.PREVIOUS_SECRET,
    logLevel: set.LOG_LEVEL ?? (production ? "info" : "warn"),
    metrics:
      set.METRICS_PORT === undefined
        ? undefined
        : { host: set.METRICS_HOST, port: set.METRICS_PORT },
    tracing: tracingSettings(set),
    shutdownDelayMs: set.SHUTDOWN_DELAY * 1_000,
    sandboxPort: set.SANDBOX_PORT ?? adjacentPort(set.PORT),
    stripe: stripeKeys(set),
    times: dealTimes(set),
    settlement: settlementTerms(set),
    invitations: invitationRewards(set),
    statementDescriptorSuffix: set.STATEMENT_DESCRIPTOR_SUFFIX,
    sellerCountry: set.SELLER_COUNTRY,
    google: googleKeys(set),
    oidc: oidcClient(set),
    firebase,
    s3: s3Connection(set),
    imageHost: imageHostConnection(set),
    cdn: cdnSettings(set),
    auditLogYears: set.AUDIT_LOG_YEARS,
    smtpUrl: set.SMTP_URL,
    // Without SMTP_URL, emails stay in the sandbox's inbox, so confirmation is optional by default.
    confirmAddresses:
      (set.CONFIRM_ADDRESSES ?? (set.SMTP_URL ? "required" : "optional")) === "required",
    mailFrom: set.MAIL_FROM ?? `no-reply@${new URL(urls.publicUrl).hostname}`,
  };
  if (set.WORKERS > 1 && set.PORT === 0)
    throw new SettingsError("WORKERS share one port: set PORT to another one than 0.");
  if (production) rejectInProduction(set);
  else requireLoopback(set);
  return config;
}

export function environmentWith(
  changes: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return { ...process.env, ...changes };
}

/** Skips other settings, because the webhook secret doesn't exist until the endpoint does. */
export function readStripeSecretKey(
  env: Record<string, string | undefined> = process.env,
): string | undefined {
  const { values, problems } = readSecretFiles(withoutEmpty(env));
  rejectProblems(problems.filter((problem) => problem.startsWith("STRIPE_SECRET_KEY")));
  return values.STRIPE_SECRET_KEY;
}

function adjacentPort(port: number): number {
  if (port === 0) return 0;
  return port === 65_535 ? port - 1 : port + 1;
}

/** `origins`: the origins of pages that may send writes to the shop. */
function addresses({ PUBLIC_URL, HOST, PORT }: CheckedSettings) {
  const publicUrl = PUBLIC_URL?.origin ?? `http://${HOST}:${PORT}`;
  const local =
    PUBLIC_URL === undefined ? [`http://localhost:${PORT}`, `http://127.0.0.1:${PORT}`] : [];
  return { publicUrl, origins: [...new Set([new URL(publicUrl).origin, ...local])] };
}

function googleKeys({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET }: CheckedSettings) {
  if (!GOOGLE_CLIENT_ID && !GOOGLE_CLIENT_SECRET) return undefined;
  if (!GOOGLE_CLIENT_ID || !GOOGLE_CLIENT_SECRET) {
    throw new SettingsError(
      "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: set both, or neither for the sandbox.",
    );
  }
  return { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET };
}

function oidcClient(set: CheckedSettings) {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_LABEL } = set;
  if (!OIDC_ISSUER && !OIDC_CLIENT_ID && !OIDC_CLIENT_SECRET && !OIDC_LABEL) return undefined;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) {
    throw new SettingsError(
      "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all three, or none for no sign-in with another provider.",
    );
  }
  return {
    label: OIDC_LABEL ?? new URL(OIDC_ISSUER).host,
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: OIDC_CLIENT_SECRET,
  };
}

function rejectInProduction(set: CheckedSettings) {
  const problems = productionProblems(set);
  if (problems.length > 0)
    throw new SettingsError(`Not started in production:\n  ${problems.join("\n  ")}`);
}

/** Requires loopback or DEMO_PUBLIC, because the demo accounts and the inbox are open to anyone. */
function requireLoopback({ HOST, DEMO_PUBLIC }: CheckedSettings) {
  if (DEMO_PUBLIC || isLoopback(HOST)) return;
  throw new SettingsError(
    `HOST=${HOST} lets other machines reach this shop, whose demo accounts and mail are open to everybody. Set NODE_ENV=production to run a shop for others, DEMO_PUBLIC=1 to show them the demo, or HOST=127.0.0.1.`,
  );
}

function withoutEmpty(env: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

function formatIssues(error: z.ZodError): string {
  return formatProblems(error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`));
}

function rejectProblems(problems: string[]): void {
  if (problems.length > 0) throw new SettingsError(formatProblems(problems));
}

function formatProblems(problems: string[]): string {
  return `Please fix these settings:\n  ${problems.join("\n  ")}`;
}

/** Returns the variables that child processes need, without secrets. */
export function childProcessEnv(env = process.env) {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV } = env;
  const { MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ } = env;
  return { PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ };
}

export type ScryptCost = { N: number; r: number; p: number };

/** From OWASP's Password Storage Cheat Sheet. Each hash needs 128 MB. */
export const owaspScrypt: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

/** For tests, which sign in hundreds of times. */
export const quickScrypt: ScryptCost = { N: 16, r: 8, p: 1 };
