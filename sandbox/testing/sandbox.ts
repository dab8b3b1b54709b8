import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import type { FaultSet } from "#sandbox/stripe/faults.ts";
import type { Charge, Intent, Refund } from "#sandbox/stripe/objects.ts";

type DeepPartial<T> = { [K in keyof T]?: DeepPartial<T[K]> | undefined };

export type Ledger = {
  intents: Intent[];
  charges: Charge[];
  refunds: Refund[];
  undeliveredEvents: number;
};

type BrowserAnswer = { status?: string; error?: { message: string; code?: string } };

/** A folder of its own for one test file's sandbox; `remove` it afterwards. */
export async function temporaryDataDir() {
  const path = await mkdtemp(join(tmpdir(), "secondlap-sandbox-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Where the shop hears of payments, and where Google leads back to. */
type Shop = { webhookUrl?: string; redirectUri?: string };

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Starts the program as the shop starts it, on a free port, and speaks to it with the real SDK. */
export async function startSandbox(dataDir: string, { webhookUrl, redirectUri }: Shop = {}) {
  const child = fork(join(import.meta.dirname, "../main.ts"), {
    env: {
      DATA_DIR: dataDir,
      SANDBOX_PORT: "0",
      ...(webhookUrl && { WEBHOOK_URL: webhookUrl }),
      ...(redirectUri && { GOOGLE_REDIRECT_URIS: redirectUri }),
    },
    execArgv: [],
  });
  const { url, smtpUrl } = await readyAt(child);
  return {
    url,
    smtpUrl,
    stripe: sdk(url),
    /** Puts faults in force in the place of those before; none ends them. */
    async control(faults: DeepPartial<FaultSet> = {}): Promise<void> {
      const response = await fetch(`${url}/_control`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(faults),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async ledger(): Promise<Ledger> {
      const response = await fetch(`${url}/_control/ledger`);
      return (await response.json()) as Ledger;
    },
    /** As a browser calls: with the publishable key, never the secret one. */
    async asBrowser(path: string, params: Record<string, string>) {
      const response = await fetch(url + path, {
        method: "POST",
        headers: { authorization: "Bearer pk_test_sandbox" },
        body: new URLSearchParams(params),
      });
      const body = (await response.json()) as BrowserAnswer;
      return { status: response.status, body };
    },
    end: (signal: "SIGTERM" | "SIGKILL") => end(child, () => child.kill(signal)),
    /** What happens when the shop dies without a word. */
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

/** The product's own SDK, pointed at the sandbox as the product points it. */
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

async function end(child: ChildProcess, tell: () => void): Promise<number | string> {
  const gone = once(child, "exit");
  tell();
  const [code, signal] = await gone;
  return signal ?? code;
}
