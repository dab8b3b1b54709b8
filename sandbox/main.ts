import Fastify from "fastify";
import { readConfig } from "./config.ts";
import { refuseForeignHosts } from "./foreign-hosts.ts";
import { google } from "./google/stand-in.ts";
import { mail } from "./mail/plugin.ts";
import { stripe } from "./stripe/stand-in.ts";

/** The hosted services played on this machine, each a Fastify plugin in the folder of its name. */
const standIns = { stripe, google, mail };

/** Serves the stand-ins until it is told to stop or the program that started it is gone. */
async function serve(): Promise<void> {
  const config = readConfig();
  const app = Fastify({ bodyLimit: 65_536, forceCloseConnections: true });
  refuseForeignHosts(app, config);
  for (const standIn of Object.values(standIns)) await app.register(standIn, config);

  const url = await app.listen({ host: config.host, port: config.port });
  const stop = () => void app.close().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  if (process.send) {
    process.once("disconnect", stop);
    // Ctrl-C reaches the whole process group; the parent says when it has no more use for us.
    process.on("SIGINT", () => {});
    process.send({ ready: true, url, smtpUrl: app.smtpUrl });
  } else {
    process.once("SIGINT", stop);
    process.stdout.write(`Stand-ins (${Object.keys(standIns).join(", ")}) at ${url}\n`);
  }
}

/** What a person can do about the sandbox not starting. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `${error.message}. Stop what uses it, or set SANDBOX_PORT.`;
  return error.message;
}

try {
  await serve();
} catch (error) {
  process.stderr.write(`The sandbox did not start: ${explain(error)}\n`);
  process.exit(1);
}
