import { Socket } from "node:net";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import type { Deps } from "./deps.ts";
import { Refusal } from "./errors.ts";
import { accountRoutes } from "./features/account/routes.ts";
import { auditLogRoutes } from "./features/audit-log/routes.ts";
import { bookingRoutes } from "./features/bookings/routes.ts";
import { categoryRoutes } from "./features/categories/routes.ts";
import { identityRoutes } from "./features/identity/routes.ts";
import { imageRoutes, serveImages } from "./features/images/routes.ts";
import { inviteRoutes } from "./features/invites/routes.ts";
import { memberRoutes } from "./features/members/routes.ts";
import { operationRoutes } from "./features/operations/routes.ts";
import { overviewRoutes } from "./features/overview/routes.ts";
import { paymentRoutes } from "./features/payments/routes.ts";
import { productRoutes } from "./features/products/routes.ts";
import { reportRoutes } from "./features/reports/routes.ts";
import { createTokens } from "./http/access-tokens.ts";
import { limitConnections } from "./http/connection-limit.ts";
import { answerError } from "./http/error-handler.ts";
import { drainOnClose } from "./http/graceful-shutdown.ts";
import { takeShallowJson } from "./http/json-body.ts";
import { logChanges, logging, OneLineEach } from "./http/logging.ts";
import { describeCalls } from "./http/openapi.ts";
import { createFeature } from "./http/route-registration.ts";
import { registerSafeguards } from "./http/security-headers.ts";
import { boundedServer, cutOffSlowBodies } from "./http/timeouts.ts";

/** The whole program as one HTTP application: every feature by name. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = Fastify({
    logger: logging(deps.config.logLevel),
    logController: new OneLineEach(),
    bodyLimit: 64 * 1024,
    ...boundedServer(deps.config),
    trustProxy: deps.config.trustProxy,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(answerError);
  app.removeContentTypeParser("text/plain");
  takeShallowJson(app);
  app.decorateRequest("caller", undefined);
  app.decorateRequest("sessionId", "");
  app.decorateRequest("refusedAs", "");
  drainOnClose(app);
  cutOffSlowBodies(app);
  limitConnections(app.server, deps.config);
  logChanges(app);
  await registerParts(app, deps);

  const tokens = createTokens(deps.config, deps.clock);
  const feature = createFeature(app, { deps, tokens, prefix: "/api" });
  identityRoutes(app, deps);
  memberRoutes(feature);
  accountRoutes(feature);
  categoryRoutes(feature);
  productRoutes(feature);
  imageRoutes(feature);
  serveImages(app, deps);
  bookingRoutes(feature);
  paymentRoutes(feature);
  reportRoutes(feature);
  inviteRoutes(feature);
  auditLogRoutes(feature);
  overviewRoutes(feature);
  operationRoutes(feature, {
    isUp: () => app.server.listening,
    openApi: () => app.swagger() as { openapi: string },
  });
  return app;
}

const flood = {
  max: 1_000,
  timeWindow: "1 minute",
  // What a page asks for while it is rendered comes by no socket: its visitor was counted at the door.
  allowList: ({ socket }: FastifyRequest) => !(socket instanceof Socket),
};

async function registerParts(app: FastifyInstance, { config }: Deps): Promise<void> {
  await registerSafeguards(app, config);
  if (config.rateLimit) await app.register(rateLimit, flood);
  // The flood limit is added to routes alone, and what no route takes is as much work.
  app.setNotFoundHandler({ ...(config.rateLimit && { preHandler: app.rateLimit() }) }, () => {
    throw new Refusal("NOT_FOUND", "There is no such thing.");
  });
  await app.register(multipart);
  await describeCalls(app);
}
