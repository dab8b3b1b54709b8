import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { afterAll, expect } from "vitest";
import type { FaultSet } from "#sandbox/stripe/fault-injection.ts";
import { control, readLedger } from "#sandbox/testing/control-sandbox.ts";

type DeepPartial<T> = { [K in keyof T]?: DeepPartial<T[K]> | undefined };

type BrowserResponse = { status?: string; error?: { message: string; code?: string } };

export async function temporaryDataDir() {
  const path = await mkdtemp(join(tmpdir(), "secondlap-sandbox-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

type Shop = {
  webhookUrl?: string;
  redirectUri?: string;
  keys?: { secretKey: string; publishableKey: string; webhookSecret: string };
};

export async function sandboxForFile(shop?: Shop): Promise<RunningSandbox> {
  const dataDir = await temporaryDataDir();
  const sandbox = await startSandbox(dataDir.path, shop);
  afterAll(async () => {
    expect(await sandbox.end("SIGTERM")).toBe(0);
    await dataDir.remove();
  });
  return sandbox;
}

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

export async function startSandbox(dataDir: string, { webhookUrl, redirectUri, keys }: Shop = {}) {
  const child = fork(join(import.meta.dirname, "../main.ts"), {
    env: {
      DATA_DIR: dataDir,
      SANDBOX_PORT: "0",
      ...(webhookUrl && { WEBHOOK_URL: webhookUrl }),
      ...(redirectUri && { GOOGLE_REDIRECT_URIS: redirectUri }),
      ...(keys && {
        STRIPE_SECRET_KEY: keys.secretKey,
        STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
        STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      }),
    },
    execArgv: [],
  });
  const { url, smtpUrl } = await readyAt(child);
  return {
    url,
    smtpUrl,
    stripe: sdk(url, keys?.secretKey),
    /** Replaces all faults. Without an argument, clears them. */
    control: (faults: DeepPartial<FaultSet> = {}) => control(url, "", faults),
    /** Simulates an outside event, such as `refunds/fail`. */
    simulate: (what: string, body: object) => control(url, `/${what}`, body),
    advanceClock: (days: number) =>
      control(url, "/clock", { advanceSeconds: Math.round(days * 24 * 60 * 60) }),
    ledger: () => readLedger(url),
    async asBrowser(path: string, params: Record<string, string>) {
      const response = await fetch(url + path, {
        method: "POST",
        headers: { authorization: "Bearer pk_test_sandbox" },
        body: new URLSearchParams(params),
      });
      const body = (await response.json()) as BrowserResponse;
      return { status: response.status, body };
    },
    end: (signal: "SIGTERM" | "SIGKILL") => end(child, () => child.kill(signal)),
    /** Simulates the death of the parent process. */
    disconnect: () => end(child, () => child.disconnect()),
  };
}

async function readyAt(child: ChildProcess): Promise<{ url: string; smtpUrl: string }> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The sandbox ended with code ${code} before it was ready.`);
  });
  const [{ url, smtpUrl }] = await Promise.race([once(child, "message"), ended]);
  return { url: String(url), smtpUrl: String(smtpUrl) };
}

export function sdk(url: string, key = "sk_test_sandbox"): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

async function end(child: ChildProcess, trigger: () => void): Promise<number | string | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    trigger();
    await gone;
  }
  return child.signalCode ?? child.exitCode;
}
