import { resolve } from "node:path";
import { z } from "zod";
import { isLoopback, productionProblems } from "./settings/production-checks.ts";
import { owaspScrypt, quickScrypt } from "./settings/scrypt-cost.ts";
import { readSecretFiles } from "./settings/secret-files.ts";

const aPort = "must be a port: a whole number from 0 to 65535";
const port = z.coerce.number(aPort).int(aPort).min(0, aPort).max(65_535, aPort);
const flag = z.enum(["0", "1"]).transform((value) => value === "1");
const dollars = ["usd", "aud", "cad", "hkd", "nzd", "sgd"];
const secret = z.string().min(32, "must have at least 32 characters");
const minutes = z.coerce
  .number()
  .positive()
  .max(60 * 24 * 365);

/** Whose forwarded header is believed: proxies by address, by network, or by a name for networks (decision 0014). */
const proxies = z
  .string()
  .transform((list) => list.split(",").map((one) => one.trim()))
  .pipe(
    z.array(
      z
        .union(
          [
            z.ipv4(),
            z.ipv6(),
            z.cidrv4(),
            z.cidrv6(),
            z.enum(["loopback", "linklocal", "uniquelocal"]),
          ],
          "must name your proxies: addresses such as 10.0.0.5, networks such as 10.0.0.0/24, or loopback, linklocal, uniquelocal, with commas between",
        )
        .refine((one) => !one.endsWith("/0"), "must not name every address there is"),
    ),
  );

/** The settings of contract, "How the program is run": environment variables, all optional. */
const settings = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).optional(),
  PORT: port.default(3000),
  HOST: z
    .union([z.ipv4(), z.hostname()], "must be an IPv4 address or a host name, such as 127.0.0.1")
    .default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DEMO: flag.optional(),
  DEMO_PUBLIC: flag.default(false),
  STAGING: flag.default(false),
  HOLD_MINUTES: minutes.default(1440),
  RATE_LIMIT: z.enum(["on", "off"]).default("on"),
  ADMIN_SECOND_FACTOR: z.enum(["required", "optional"]).optional(),
  PASSWORD_HASHING: z.enum(["strong", "quick"]).default("strong"),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/i })
    .transform((text) => new URL(text))
    .optional(),
  TRUST_PROXY: proxies.default([]),
  SECRET: secret.optional(),
  PREVIOUS_SECRET: secret.optional(),
  CURRENCY: z
    .enum(dollars, `must be one of ${dollars.join(", ")}: prices are shown with a $ sign`)
    .default("usd"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).optional(),
  SANDBOX_PORT: port.optional(),
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(1).optional(),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, hostname: /./ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  CONFIRM_ADDRESSES: z.enum(["required", "optional"]).optional(),
});

export type Settings = z.input<typeof settings>;

type CheckedSettings = z.output<typeof settings>;

export type Config = ReturnType<typeof readConfig>;

/** The settings with the secret that signs sessions: the one set, or the data folder's own. */
export type ConfigWithSecret = Config & { secret: string };

/** A mistake in the settings; its message names the variable and what to do. */
export class SettingsError extends Error {}

/** Reads and checks the settings. Throws a `SettingsError` whose message names each wrong variable. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  refuseNotYet(env);
  const { values, faults } = readSecretFiles(withoutEmpty(env));
  if (faults.length > 0)
    throw new SettingsError(`Please mend these settings:\n  ${faults.join("\n  ")}`);
  const parsed = settings.safeParse(values);
  if (!parsed.success) throw new SettingsError(inWords(parsed.error));
  const set = parsed.data;
  const production = set.NODE_ENV === "production";
  const reachedAt = addresses(set);
  const config = {
    production,
    development: set.NODE_ENV === "development",
    port: set.PORT,
    host: set.HOST,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    demo: set.DEMO ?? !production,
    staging: set.STAGING,
    holdMinutes: set.HOLD_MINUTES,
    rateLimit: set.RATE_LIMIT === "on",
    requireAdminSecondFactor:
      (set.ADMIN_SECOND_FACTOR ?? (production ? "required" : "optional")) === "required",
    scryptCost: set.PASSWORD_HASHING === "strong" ? owaspScrypt : quickScrypt,
    trustProxy: set.TRUST_PROXY,
    ...reachedAt,
    secret: set.SECRET,
    previousSecret: set.PREVIOUS_SECRET,
    currency: set.CURRENCY,
    logLevel: set.LOG_LEVEL ?? (production ? "info" : "warn"),
    sandboxPort: set.SANDBOX_PORT ?? besides(set.PORT),
    stripe: stripeKeys(set),
    google: googleKeys(set),
    smtpUrl: set.SMTP_URL,
    // Where no mail leaves this machine, nobody could open the link.
    confirmAddresses:
      (set.CONFIRM_ADDRESSES ?? (set.SMTP_URL ? "required" : "optional")) === "required",
    mailFrom: set.MAIL_FROM ?? `Secondlap <no-reply@${new URL(reachedAt.publicUrl).hostname}>`,
  };
  if (production) refuseStandIns(set);
  else refuseVisitors(set);
  return config;
}

/** The sandbox's own port: the next one, where there is one. */
function besides(port: number): number {
  if (port === 0) return 0;
  return port === 65_535 ? port - 1 : port + 1;
}

/** Where people open the site, and every origin they may come from: on one's own machine, both its names. */
function addresses({ PUBLIC_URL, HOST, PORT }: CheckedSettings) {
  const publicUrl = (PUBLIC_URL?.href ?? `http://${HOST}:${PORT}`).replace(/\/+$/, "");
  const local =
    PUBLIC_URL === undefined ? [`http://localhost:${PORT}`, `http://127.0.0.1:${PORT}`] : [];
  return { publicUrl, origins: [...new Set([new URL(publicUrl).origin, ...local])] };
}

function stripeKeys(set: CheckedSettings) {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = set;
  if (!STRIPE_SECRET_KEY && !STRIPE_PUBLISHABLE_KEY && !STRIPE_WEBHOOK_SECRET) return undefined;
  if (!STRIPE_SECRET_KEY || !STRIPE_PUBLISHABLE_KEY || !STRIPE_WEBHOOK_SECRET) {
    throw new SettingsError(
      "STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET go together: set all three, or none for the sandbox.",
    );
  }
  return {
    secretKey: STRIPE_SECRET_KEY,
    publishableKey: STRIPE_PUBLISHABLE_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
  };
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

/** Contract, "production guard": no demo account, sandbox, test key or default secret in production. */
function refuseStandIns(set: CheckedSettings) {
  const wrong = productionProblems(set);
  if (wrong.length > 0)
    throw new SettingsError(`Not started in production:\n  ${wrong.join("\n  ")}`);
}

/** Outside production there are demo accounts, and an inbox open to everybody: nobody else may reach them by accident. */
function refuseVisitors({ HOST, DEMO_PUBLIC }: CheckedSettings) {
  if (DEMO_PUBLIC || isLoopback(HOST)) return;
  throw new SettingsError(
    `HOST=${HOST} lets other machines reach this shop, whose demo accounts and mail are open to everybody. Set NODE_ENV=production to run a shop for others, DEMO_PUBLIC=1 to show them the demo, or HOST=127.0.0.1.`,
  );
}

/** Settings the contract names for what is not built yet: better refused than silently without effect. */
function refuseNotYet(env: Record<string, string | undefined>): void {
  const notYet = Object.keys(env).filter(
    (name) => /^(FIREBASE|IMAGE_HOST|S3)_/.test(name) && env[name],
  );
  if (notYet.length === 0) return;
  throw new SettingsError(`Not supported yet, please unset: ${notYet.join(", ")}.`);
}

function withoutEmpty(env: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

function inWords(error: z.ZodError): string {
  const lines = error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  return `Please mend these settings:\n  ${lines.join("\n  ")}`;
}
