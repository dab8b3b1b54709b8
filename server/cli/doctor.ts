import { once } from "node:events";
import { get as getPlain, type IncomingMessage } from "node:http";
import { get } from "node:https";
import { TLSSocket } from "node:tls";
import { sql } from "kysely";
import type { Service } from "../adapters/provider-checks.ts";
import { type Config, readConfig } from "../config.ts";
import { readRow } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { failureSentence } from "../http/logging.ts";
import { minFreeShare, readDiskSpace } from "../metrics/node-metrics.ts";
import { version } from "../version.ts";
import { runCommand, withDatabase } from "./run-command.ts";
import { servicesOf } from "./services.ts";

async function rowOf({ name, uses, settings, check }: Service) {
  const row = (state: string, failed = false) => ({ cells: [name, uses, state], failed });
  if (!check) return row("not checked: npm start starts it");
  try {
    const remark = await check();
    return row(typeof remark === "string" ? `ok: ${remark}` : "ok");
  } catch (error) {
    return row(failureSentence(error, settings), true);
  }
}

/** `npm run doctor`: exits with 1 if a check fails. `readConfig` reports invalid settings. */
async function main(args: string[]): Promise<string> {
  if (args.length > 0)
    throw new AppError("BAD_REQUEST", "Usage: npm run doctor   (it has no options)");
  process.stdout.write(`Secondlap ${version}\n`);
  const config = readConfig();
  const rows = await Promise.all([...machineOf(config), ...servicesOf(config)].map(rowOf));
  if (rows.some(({ failed }) => failed)) process.exitCode = 1;
  const lines = [["Service", "Uses", "State"], ...rows.map(({ cells }) => cells)];
  const width = (column: number) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0));
  return lines
    .map(([name = "", uses = "", state = ""]) =>
      [name.padEnd(width(0)), uses.padEnd(width(1)), state].join("  "),
    )
    .join("\n");
}

const timeoutMs = 10_000;
const dayMs = 24 * 3_600_000;
/** Caddy renews certificates earlier, so fewer days mean that the renewal fails. */
const minCertificateDays = 7;
/** Beyond this clock error, codes from authenticator apps may be rejected. */
const maxClockMs = 30_000;
const maxBackupHours = 30;

export function machineOf(config: Config): Service[] {
  if (!config.production) return [diskOf(config)];
  return [websiteOf(config), diskOf(config), clockOf(config), backupOf()];
}

/** Requests the visitors' URL, to test DNS, proxy and certificate too. */
function websiteOf({ publicUrl }: Config): Service {
  const check = async () => {
    const answer = await ask(`${publicUrl}/readyz`);
    if (answer.statusCode !== 200)
      throw new Error(`${publicUrl}/readyz answers ${answer.statusCode} instead of 200`);
    return answer.socket instanceof TLSSocket ? requireCertificate(answer.socket) : undefined;
  };
  return { name: "Website", uses: publicUrl, settings: "PUBLIC_URL and the proxy", check };
}

function requireCertificate(socket: TLSSocket): string {
  const left = (Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs;
  const ends = `the certificate ends in ${Math.floor(left)} days`;
  if (left < minCertificateDays) throw new Error(`${ends}, and was not renewed`);
  return ends;
}

async function ask(url: string): Promise<IncomingMessage> {
  const send = url.startsWith("https:") ? get : getPlain;
  const request = send(url, { agent: false, timeout: timeoutMs });
  request.on("timeout", () => request.destroy(new Error(`no answer in ${timeoutMs / 1_000} s`)));
  // Ignores errors after the response, when nothing awaits the request.
  request.on("error", () => {});
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer.resume();
}

function diskOf({ dataDir }: Config): Service {
  const check = async () => {
    const disk = await readDiskSpace(dataDir);
    if (!disk) return "there is no such folder yet";
    const megabytes = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;
    const free = `${megabytes(disk.freeBytes)} of ${megabytes(disk.bytes)} are free`;
    if (disk.freeBytes < disk.bytes * minFreeShare) throw new Error(`only ${free}`);
    return free;
  };
  return { name: "Disk", uses: dataDir, settings: "DATA_DIR", check };
}

/** Compares with the service whose clock is nearest to ours, because others may be wrong. */
function clockOf({ stripe, s3, oidc, imageHost }: Config): Service {
  const urls = [stripe && "https://api.stripe.com", s3?.endpoint, oidc?.issuer, imageHost?.url];
  const asked = urls.filter((url) => url !== undefined);
  const check = async () => {
    const found = await Promise.allSettled(asked.map(readOffset));
    const offsets = found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    if (offsets.length === 0) throw new Error("no service answered with its time");
    const seconds = Math.round(Math.min(...offsets) / 1_000);
    if (seconds * 1_000 > maxClockMs) throw new Error(`the clock is ${seconds} seconds off`);
  };
  return { name: "Clock", uses: "this machine", settings: "timedatectl", check };
}

async function readOffset(url: string): Promise<number> {
  const { headers } = await ask(url);
  if (headers.date === undefined) throw new Error("no date");
  return Math.abs(Date.now() - Date.parse(headers.date));
}

function backupOf(): Service {
  const check = async () => {
    const { hours } = await withDatabase((db) => readRow(db, backupAge));
    if (hours === null) throw new Error("the shop was never backed up");
    const age = `the last one is ${Math.round(hours)} hours old`;
    if (hours > maxBackupHours) throw new Error(age);
    return age;
  };
  return { name: "Backup", uses: "npm run backup", settings: "docs/backup.md", check };
}

const backupAge = sql<{ hours: number | null }>`
  select extract(epoch from now() - backed_up_at)::float8 / 3600 as hours from backup_status`;

if (import.meta.main) await runCommand(main);
