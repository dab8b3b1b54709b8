import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { stripeCards } from "../adapters/cards/stripe.ts";
import { hostedServices } from "../adapters/hosted-services.ts";
import { openIdMetadata } from "../adapters/identity/openid-metadata.ts";
import { imageStore } from "../adapters/images/image-store.ts";
import { smtpMail } from "../adapters/mail/smtp.ts";
import { systemClock } from "../clock.ts";
import { type Config, readConfig } from "../config.ts";
import { redact, redactConsole } from "../http/redact.ts";
import { withDatabase } from "./run-command.ts";

type Service = {
  name: string;
  uses: string;
  /** Where to look if the check fails. */
  settings: string;
  /** Connects and logs in; throws if that fails. Undefined for what only `npm start` starts. */
  check: (() => Promise<unknown>) | undefined;
};

/** Every service of the shop, as it is configured. */
function servicesOf(config: Config): Service[] {
  return [
    ...accountsOf(databaseOf(config)),
    cardsOf(config),
    ...signInOf(config),
    mailOf(config),
    ...photosOf(config),
  ];
}

function databaseOf({ databaseUrl, dataDir }: Config): Service {
  const check = () => withDatabase((db) => sql`select 1`.execute(db));
  if (databaseUrl !== undefined)
    return {
      ...{ name: "Database", settings: "DATABASE_URL", check },
      uses: `PostgreSQL at ${hostOf(databaseUrl)}`,
    };
  const isThere = existsSync(join(dataDir, "postgres"));
  return {
    ...{ name: "Database", uses: "embedded PostgreSQL", settings: "DATA_DIR" },
    check: isThere ? check : undefined,
  };
}

/** Passwords are in the database, so one connection answers for both. */
function accountsOf(database: Service): Service[] {
  const connecting = database.check?.();
  connecting?.catch(() => {});
  const check = connecting && (() => connecting);
  return [
    { ...database, check },
    { ...database, check, name: "Sign-in: passwords" },
  ];
}

/** Asks for a payment that does not exist, which Stripe answers only with the right key. */
function cardsOf(config: Config): Service {
  const named = { name: "Cards", settings: "STRIPE_SECRET_KEY" };
  if (!config.stripe) return { ...named, uses: "sandbox", check: undefined };
  const cards = stripeCards(hostedServices(config, undefined).stripe);
  return { ...named, uses: "Stripe", check: () => cards.findIntent("pi_doctor") };
}

function signInOf(config: Config): Service[] {
  const providers = hostedServices(config, undefined).signInProviders;
  const google = { name: "Sign-in: Google", uses: "sandbox", settings: "GOOGLE_CLIENT_ID" };
  return [
    ...(config.google || config.production ? [] : [{ ...google, check: undefined }]),
    ...providers.map(({ id, label, issuer }) => ({
      name: `Sign-in: ${label}`,
      uses: issuer,
      settings: id === "google" ? "GOOGLE_CLIENT_ID" : "OIDC_ISSUER",
      check: openIdMetadata(issuer, systemClock),
    })),
  ];
}

function mailOf(config: Config): Service {
  const named = { name: "Mail", settings: "SMTP_URL" };
  if (config.smtpUrl === undefined) return { ...named, uses: "sandbox", check: undefined };
  const mail = smtpMail(hostedServices(config, undefined).smtp);
  const check = () => mail.check().finally(() => mail.close());
  return { ...named, uses: `SMTP at ${hostOf(config.smtpUrl)}`, check };
}

/** Reads a photo that does not exist. The key of an image host shows only at an upload. */
function photosOf(config: Config): Service[] {
  const { s3, imageHost } = config;
  const store = imageStore(config);
  const services: Service[] = [
    {
      name: "Photos",
      uses: s3 ? `S3 bucket ${s3.bucket}` : "data folder",
      settings: s3 ? "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY" : "DATA_DIR",
      check: () => store.read(`${"0".repeat(64)}.jpg`),
    },
  ];
  if (imageHost)
    services.push({
      name: "Image host",
      uses: hostOf(imageHost.url),
      settings: "IMAGE_HOST_URL",
      check: () => fetch(imageHost.url, { method: "HEAD", signal: AbortSignal.timeout(5_000) }),
    });
  return services;
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** The cause says more than the sentence for visitors. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? messageOf(error.cause) : error.message;
}

async function rowOf({ name, uses, settings, check }: Service) {
  const row = (state: string, failed = false) => ({ cells: [name, uses, state], failed });
  if (!check) return row("starts with npm start");
  try {
    await check();
    return row("ok");
  } catch (error) {
    const reason = redact(messageOf(error)).split("\n", 1)[0]?.replace(/\.$/, "");
    return row(`failed: ${reason}. See ${settings}.`, true);
  }
}

/**
 * `npm run doctor`: for each service what it uses, and whether it answers and accepts the credentials. The exit
 * code is 1 if one does not. Settings that are missing or contradict each other are named by `readConfig`.
 */
redactConsole();
try {
  const rows = await Promise.all(servicesOf(readConfig()).map(rowOf));
  const lines = [["Service", "Uses", "State"], ...rows.map(({ cells }) => cells)];
  const width = (column: number) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0));
  for (const [name = "", uses = "", state = ""] of lines)
    process.stdout.write(`${name.padEnd(width(0))}  ${uses.padEnd(width(1))}  ${state}\n`);
  if (rows.some(({ failed }) => failed)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${redact(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = 1;
}
