import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { SandboxConfig } from "../config.ts";
import { parseFormBodies } from "../form-encoding.ts";
import { restoreClock } from "./advance-clock.ts";
import { requireApiKey } from "./api-keys.ts";
import { nowMs } from "./clock.ts";
import { clockPage } from "./clock-page.ts";
import { controlRoutes } from "./control-routes.ts";
import { injectFaults, noFaults } from "./fault-injection.ts";
import { parseFileUploads } from "./files.ts";
import { setErrorHandlers } from "./handlers.ts";
import { onboarding } from "./onboarding.ts";
import { runPayouts } from "./payouts.ts";
import { applyOutcome } from "./refunds.ts";
import { routes } from "./routes.ts";
import { openStore, type Store } from "./store.ts";
import { v2Routes } from "./v2-routes.ts";
import { startWebhookDispatcher, type WebhookDispatcher } from "./webhook-dispatcher.ts";

export async function stripe(app: FastifyInstance, config: SandboxConfig): Promise<void> {
  const store = openStore(join(config.stateDir, "stripe.sqlite"));
  restoreClock(store);
  const faults = noFaults();
  const dispatcher = startWebhookDispatcher({ store, config: config.stripe, faults });
  const outcomes = setInterval(() => {
    if (!faults.set.holdRefundOutcomes) applyDueOutcomes(store, dispatcher);
    if (runPayouts(store)) dispatcher.wake();
  }, 100);
  app.addHook("onClose", async () => {
    clearInterval(outcomes);
    dispatcher.stop();
    store.close();
  });

  await app.register(
    async (api) => {
      setErrorHandlers(api);
      parseFormBodies(api);
      parseFileUploads(api);
      injectFaults(api, faults);
      requireApiKey(api, config.stripe, store);
      routes(api, { store, dispatcher });
    },
    { prefix: "/v1" },
  );
  await app.register(
    async (api) => {
      setErrorHandlers(api);
      injectFaults(api, faults);
      requireApiKey(api, config.stripe, store);
      v2Routes(api, { store, dispatcher });
    },
    { prefix: "/v2" },
  );
  await app.register(staticFiles);
  await app.register(async (pages) => onboarding(pages, { store, dispatcher }));
  await app.register(async (pages) => clockPage(pages, { store, dispatcher }));
  await app.register(async (local) => controlRoutes(local, { store, dispatcher, faults }));
}

function applyDueOutcomes(store: Store, dispatcher: WebhookDispatcher): void {
  const due = store.listDue("refund", nowMs());
  if (due.length === 0) return;
  store.transaction(() => {
    for (const refund of due) applyOutcome(store, refund);
  });
  dispatcher.wake();
}

const anyLoopback = ["localhost", "127.0.0.1"]
  .flatMap((host) => [`http://${host}:*`, `https://${host}:*`])
  .join(" ");

const framePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  `frame-ancestors ${anyLoopback}`,
].join("; ");

const browserFiles = join(import.meta.dirname, "browser");

async function staticFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(browserFiles, "v3"),
    prefix: "/stripe/v3/",
    index: "index.js",
    // Module scripts need CORS if a page from another origin loads them.
    setHeaders: (reply) => reply.header("access-control-allow-origin", "*"),
  });
  await app.register(fastifyStatic, {
    root: join(browserFiles, "frames"),
    prefix: "/stripe/frames/",
    decorateReply: false,
    setHeaders: (reply) => {
      reply.header("content-security-policy", framePolicy);
      reply.header("x-content-type-options", "nosniff");
      reply.header("referrer-policy", "no-referrer");
    },
  });
}
