import { once } from "node:events";
import { systemClock } from "../server/clock.ts";
import { createDeps } from "../server/create-deps.ts";
import { redact, redactConsole } from "../server/http/logging.ts";
import type { Resources } from "../server/process/serve.ts";
import { loadDemo } from "./load.ts";

redactConsole();
process.on("disconnect", () => process.exit(1));
try {
  const [resources] = (await once(process, "message")) as [Resources];
  process.stdout.write("Loading the demo data: laptops, photos, bookings and past sales.\n");
  const { deps } = createDeps({ ...resources, clock: systemClock, warn: () => {} });
  await loadDemo(deps);
  process.exit(0);
} catch (error) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${redact(text)}\n`);
  process.exit(1);
}
