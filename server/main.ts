import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { needsSandbox } from "./adapters/hosted-services.ts";
import { type SandboxAddresses, startSandbox } from "./adapters/sandbox-process.ts";
import { type Config, environmentWith, readConfig } from "./config.ts";
import { startEmbeddedPostgres } from "./db/embedded-postgres/embedded-postgres.ts";
import { keepDiskReserve } from "./process/disk-reserve.ts";
import { draining, print, printError, runProcess, started } from "./process/run-until-signal.ts";
import { withSecret } from "./settings/secrets.ts";
import { version } from "./version.ts";

/** Imports process/serve.ts, which runs the shop, while the sandbox and PostgreSQL start. */
async function start(settings: Config): Promise<void> {
  await requireFreePort("PORT", settings);
  if (settings.metrics) await requireFreePort("METRICS_PORT", settings.metrics);
  const { host, sandboxPort: port } = settings;
  if (needsSandbox(settings)) await requireFreePort("SANDBOX_PORT", { host, port });
  // Spawned first, because the import blocks this process.
  const startingSandbox = startSandboxIfNeeded(settings);
  const startingPostgres = settings.databaseUrl ?? startPostgres(settings);
  const importing = import("./process/serve.ts");
  // The awaits below rethrow errors. PostgreSQL comes first, so that it is stopped if others fail.
  for (const failing of [startingSandbox, importing]) failing.catch(() => {});
  const databaseUrl = await startingPostgres;
  const config = await withSecret(settings);
  const sandbox = await startingSandbox;
  const { serve } = await importing;
  // No reserve is needed for a demo, where a full disk does no harm, or with photos in S3.
  if (!config.demo && !config.s3)
    started.push(await keepDiskReserve({ dataDir: config.dataDir, report: printError }));
  const resources = { config, databaseUrl, sandbox };
  draining.push(await serve(resources, (stop) => started.push(stop)));
  if (config.workers > 1) {
    const { forkServers } = await import("./process/fork-servers.ts");
    await forkServers(resources);
  }
  const mail = sandbox ? `. Mail arrives at ${sandbox.url}/mail` : "";
  print(`Secondlap ${version} is ready at ${config.publicUrl}${mail}`);
}

async function startPostgres({ dataDir }: Config): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, report: printError });
  started.push(() => postgres.stop());
  return postgres.url;
}

async function startSandboxIfNeeded(config: Config): Promise<SandboxAddresses | undefined> {
  if (!needsSandbox(config)) return undefined;
  const { host, sandboxPort: port, dataDir, origins } = config;
  const webhookUrl = `http://${host}:${config.port}/api/webhooks/stripe`;
  const sandbox = await startSandbox({ host, port, dataDir, webhookUrl, origins });
  started.push(() => sandbox.stop());
  return { url: sandbox.url, smtpUrl: sandbox.smtpUrl };
}

/** Throws an error with instructions if we can't listen on the port. Port 0 is always free. */
async function requireFreePort(
  setting: string,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, "listening");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(explain(setting, { host, port, code }), { cause });
  } finally {
    probe.close();
  }
}

function explain(
  setting: string,
  { host, port, code }: { host: string; port: number; code: string | undefined },
): string {
  if (code === "EADDRINUSE") {
    return `Port ${port} is in use. Stop what uses it, or choose another: ${setting}=${port + 10} npm start`;
  }
  if (code === "EACCES")
    return `Port ${port} needs more rights than we have. Choose one above 1024: ${setting}=3000 npm start`;
  return `We can't listen on ${host}:${port} (${code}). Check HOST and ${setting}.`;
}

/** Picks a port for `PORT=0`. URLs and webhooks need the port before the server listens. */
async function atFreePort(): Promise<Config> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return readConfig(environmentWith({ PORT: String(port) }));
}

await runProcess(async () => {
  const config = readConfig();
  await start(config.port === 0 ? await atFreePort() : config);
});
