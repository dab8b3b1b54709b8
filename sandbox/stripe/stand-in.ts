import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { SandboxConfig } from "../config.ts";
import { guardByKey } from "./access.ts";
import { answerErrors } from "./answering.ts";
import { control } from "./control.ts";
import { injectFaults, noFaults } from "./faults.ts";
import { acceptForms } from "./form.ts";
import { frames } from "./frames.ts";
import { routes } from "./routes.ts";
import { openStore } from "./store.ts";
import { startCourier } from "./webhooks.ts";

/** Plays Stripe: its API under `/v1`, its webhooks, and in the browser its card fields. */
export async function stripe(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const store = openStore(join(config.stateDir, "stripe.sqlite"));
  const faults = noFaults();
  const courier = startCourier({ store, config: config.stripe, faults });
  app.addHook("onClose", async () => {
    courier.stop();
    store.close();
  });

  await app.register(
    async (api) => {
      answerErrors(api);
      acceptForms(api);
      injectFaults(api, faults);
      guardByKey(api, config.stripe, store);
      routes(api, { store, courier });
    },
    { prefix: "/v1" },
  );
  await app.register(frames);
  await app.register(async (local) => control(local, { store, courier, faults }));
}
