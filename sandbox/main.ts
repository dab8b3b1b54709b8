import { buildSandbox } from "./app.ts";
import { readConfig } from "./config.ts";

// Runs until SIGTERM, or until the parent process disconnects its IPC channel.
try {
  const config = readConfig();
  const app = await buildSandbox(config);
  const url = await app.listen({ host: config.host, port: config.port });
  const stop = () => void app.close().then(() => process.exit(0));
  process.once("SIGTERM", stop).once("disconnect", stop);
  process.send?.({ url, smtpUrl: app.smtpUrl });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The sandbox did not start: ${message}\n`);
  process.exit(1);
}
