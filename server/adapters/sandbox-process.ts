import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { childProcessEnv } from "../config.ts";
import { redact } from "../http/logging.ts";
import { sandboxGoogle, sandboxKeys } from "../settings/production-checks.ts";

export type SandboxAddresses = { url: string; smtpUrl: string };

export type Sandbox = SandboxAddresses & { stop(): Promise<void> };

type Settings = {
  host: string;
  port: number;
  dataDir: string;
  webhookUrl: string;
  /** Origins that the sandbox's Google sign-in may redirect to. */
  origins: string[];
};

/** Starts the sandbox, which ends with this process (decisions/sandbox). */
export async function startSandbox(settings: Settings): Promise<Sandbox> {
  const main = fileURLToPath(new URL("../../sandbox/main.ts", import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...childProcessEnv(), ...sandboxEnv(settings) },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // Ctrl-C signals the whole process group. The sandbox must run until the server has drained.
    detached: true,
  });
  passOnErrors(child.stderr);
  const gone = once(child, "exit").then(() => {
    throw new Error(
      `The sandbox did not start on port ${settings.port}. If that port is in use, set SANDBOX_PORT to another.`,
    );
  });
  gone.catch(() => {});
  const [ready] = await Promise.race([once(child, "message"), gone]);
  const { url, smtpUrl } = ready as SandboxAddresses;
  return {
    url,
    smtpUrl,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** The settings that `sandbox/config.ts` reads. */
export function sandboxEnv({ host, port, dataDir, webhookUrl, origins }: Settings) {
  return {
    HOST: host,
    SANDBOX_PORT: String(port),
    DATA_DIR: dataDir,
    WEBHOOK_URL: webhookUrl,
    STRIPE_SECRET_KEY: sandboxKeys.secretKey,
    STRIPE_PUBLISHABLE_KEY: sandboxKeys.publishableKey,
    STRIPE_WEBHOOK_SECRET: sandboxKeys.webhookSecret,
    STRIPE_CONNECT_WEBHOOK_SECRET: sandboxKeys.connectWebhookSecret,
    GOOGLE_CLIENT_ID: sandboxGoogle.clientId,
    GOOGLE_CLIENT_SECRET: sandboxGoogle.clientSecret,
    GOOGLE_REDIRECT_URIS: origins.map((at) => `${at}/api/auth/callback/google`).join(" "),
  };
}

function passOnErrors(errors: Readable | null): void {
  if (errors === null) return;
  const lines = createInterface({ input: errors });
  lines.on("line", (line) => process.stderr.write(`${redact(line)}\n`));
}
