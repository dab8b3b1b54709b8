import { once } from "node:events";
import { draining, runProcess, started } from "./run-until-signal.ts";
import { type Resources, serve } from "./serve.ts";

/** One of several server processes (`fork-servers.ts`). */
await runProcess(async () => {
  const [resources] = (await once(process, "message")) as [Resources];
  draining.push(await serve(resources, (stop) => started.push(stop)));
  process.send?.("listening");
});
