import { needsSandbox } from "./adapters/hosted-services.ts";
import { type Sandbox, startSandbox } from "./adapters/sandbox-process.ts";
import { type Config, readConfig } from "./config.ts";
import { startEmbeddedPostgres } from "./db/embedded-postgres/embedded-postgres.ts";
import { requireFreePort } from "./http/free-port.ts";
import { redact, redactConsole } from "./http/redact.ts";
import { withSecret } from "./settings/development-secret.ts";

/** How to stop what has been started, in the order it was. */
const started: (() => Promise<unknown>)[] = [];

/** Starts the sandbox and PostgreSQL, both of them processes, and imports the app while they start. */
async function start(settings: Config): Promise<void> {
  await requireFreePort("PORT", settings);
  const startingSandbox = startSandboxIfNeeded(settings);
  const startingPostgres = settings.databaseUrl ?? startPostgres(settings);
  const importing = import("./serve.ts");
  // Thrown where they are awaited: PostgreSQL first, so that it is stopped if another one fails.
  for (const failing of [startingSandbox, importing]) failing.catch(() => {});
  const databaseUrl = await startingPostgres;
  const config = await withSecret(settings);
  const sandbox = await startingSandbox;
  const { serve } = await importing;
  await serve({ config, databaseUrl, sandbox }, (stop) => started.push(stop));
  print(`Secondlap is ready at ${config.publicUrl}`);
}

async function startPostgres({ dataDir }: Config): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, report: printError });
  started.push(() => postgres.stop());
  return postgres.url;
}

async function startSandboxIfNeeded(config: Config): Promise<Sandbox | undefined> {
  if (!needsSandbox(config)) return undefined;
  const { host, sandboxPort: port, dataDir, origins } = config;
  await requireFreePort("SANDBOX_PORT", { host, port });
  const webhookUrl = `http://${host}:${config.port}/api/webhooks/stripe`;
  const sandbox = await startSandbox({ host, port, dataDir, webhookUrl, origins });
  started.push(() => sandbox.stop());
  return sandbox;
}

/** Stops everything in reverse order: first the server, which finishes its requests. */
async function stop(code: number): Promise<void> {
  process.exitCode = code;
  for (const end of started.reverse()) await end().catch((error: Error) => print(error.message));
  process.exit();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printError(line: string): void {
  process.stderr.write(`${redact(line)}\n`);
}

redactConsole();
process.on("uncaughtException", (error) => {
  printError(error.stack ?? String(error));
  process.exit(1);
});

// A second signal is ignored: Ctrl-C sends one to the whole process group, and npm forwards another.
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void stop(0);
  });
}

try {
  await start(readConfig());
} catch (error) {
  // While stopping, an error of the interrupted start is expected.
  if (!stopping) {
    printError(error instanceof Error ? error.message : String(error));
    await stop(1);
  }
}
