import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SandboxAddresses } from "#server/adapters/sandbox-process.ts";
import { type ConfigWithSecret, readConfig } from "#server/config.ts";
import type { Resources } from "#server/process/serve.ts";
import { secret } from "../../faults/load/program.ts";
import type { Machine } from "./machine.ts";
import { publicUrl, purgeUrl } from "./proxies.ts";

type Services = {
  databaseUrl: string;
  directUrl: string;
  replicaUrls: string[];
  sandbox: SandboxAddresses;
  s3: Record<string, string>;
};

const program = new URL("../../server/process/fork-servers.ts", import.meta.url).pathname;

export class Node {
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  readonly #resources: Resources;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(machine: Machine, number: number, services: Services) {
    const host = machine.host(40 + number);
    this.name = `node${number}`;
    this.url = `http://${host}:3000`;
    this.metricsUrl = `http://${host}:9400/metrics`;
    this.#log = join(machine.folder, `${this.name}.log`);
    const config = settings(machine, host, services);
    const { databaseUrl, sandbox } = services;
    this.#resources = { config, databaseUrl, sandbox };
    machine.onClose(() => this.kill());
  }

  /** The last lines of the node's output. */
  get said(): string {
    return readFileSync(this.#log, "utf8").trim().split("\n").slice(-10).join("\n");
  }

  async start(): Promise<void> {
    const output = openSync(this.#log, "a");
    const child = fork(program, {
      execArgv: ["--max-semi-space-size=8"],
      env: { ...process.env, NODE_ENV: "production", MALLOC_ARENA_MAX: "2" },
      stdio: ["ignore", output, output, "ipc"],
      // Ctrl-C in a terminal must not end the node before the load ends.
      detached: true,
    });
    this.#child = child;
    child.send(this.#resources);
    const ended = once(child, "exit").then(() => "ended");
    const outcome = await Promise.race([once(child, "message"), ended]);
    if (outcome === "ended") throw new Error(`${this.name} did not start:\n${this.said}`);
  }

  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Sends SIGTERM, as a rolling deploy does. Returns the exit code. */
  async stop(): Promise<number | null> {
    return await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    child.kill(signal);
    await once(child, "exit");
    return child.exitCode;
  }
}

/** Production settings, but with stand-ins, and without rate limits and admins' second factor. */
function settings(machine: Machine, host: string, services: Services): ConfigWithSecret {
  const config = readConfig({
    NODE_ENV: "production",
    HOST: host,
    PORT: "3000",
    METRICS_HOST: host,
    METRICS_PORT: "9400",
    LOG_LEVEL: "warn",
    SHUTDOWN_DELAY: "5",
    SECRET: secret,
    PUBLIC_URL: publicUrl(machine),
    TRUST_PROXY: "127.0.0.1",
    DATA_DIR: machine.folder,
    DATABASE_URL: services.databaseUrl,
    DATABASE_DIRECT_URL: services.directUrl,
    DATABASE_REPLICA_URL: services.replicaUrls.join(","),
    CDN_SECONDS: "3600",
    CDN_PURGE_URL: purgeUrl(machine),
    INVITE_DISCOUNTS_PER_INVITER: "1000",
    INVITE_DISCOUNTS_PER_SELLER: "1000",
    STRIPE_SECRET_KEY: "sk_live_cluster",
    STRIPE_PUBLISHABLE_KEY: "pk_live_cluster",
    STRIPE_WEBHOOK_SECRET: "whsec_cluster",
    SMTP_URL: services.sandbox.smtpUrl,
    ...services.s3,
  });
  const standIns = { stripe: undefined, smtpUrl: undefined };
  const load = { rateLimit: false, requireAdminSecondFactor: false };
  return { ...config, ...standIns, ...load, secret };
}
