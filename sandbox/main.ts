import { buildSandbox, services } from "./app.ts";
import { readConfig } from "./config.ts";

/** Runs until SIGTERM, or until the parent process, if any, disconnects its IPC channel. */
async function serve(): Promise<void> {
  const config = readConfig();
  const app = await buildSandbox(config);
  const url = await app.listen({ host: config.host, port: config.port });
  const stop = () => void app.close().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  if (process.send) {
    process.once("disconnect", stop);
    // Ctrl-C reaches the whole process group, but the parent must shut down before the sandbox.
    process.on("SIGINT", () => {});
    process.send({ ready: true, url, smtpUrl: app.smtpUrl });
  } else {
    process.once("SIGINT", stop);
    process.stdout.write(`Sandbox (${services.join(", ")}) at ${url}\n`);
  }
}

function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `${error.message}. Stop what uses it, or set SANDBOX_PORT.`;
  return error.message;
}

try {
  await serve();
} catch (error) {
  process.stderr.write(`The sandbox did not start: ${errorMessage(error)}\n`);
  process.exit(1);
}
