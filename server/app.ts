import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import Fastify, { type FastifyInstance } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { newRequestId } from "./db/request-id.ts";
import type { Deps } from "./deps.ts";
import { accountRoutes } from "./features/account/routes.ts";
import { auditLogRoutes } from "./features/audit-log/routes.ts";
import { categoryRoutes } from "./features/categories/routes.ts";
import { complaintRoutes } from "./features/complaints/routes.ts";
import {
  bookingRoutes,
  dealRecordRoutes,
  meetingRoutes,
  offerRoutes,
} from "./features/deals/routes.ts";
import { operationRoutes } from "./features/health/routes.ts";
import { identityRoutes } from "./features/identity/routes.ts";
import { withAbsoluteImageUrls } from "./features/images/photo-files.ts";
import { imageRoutes, serveImages } from "./features/images/routes.ts";
import { memberRoutes } from "./features/members/routes.ts";
import { findActiveMember } from "./features/members/suspension.ts";
import { messageRoutes } from "./features/messages/routes.ts";
import { ledgerRoutes, paymentRoutes, payoutRoutes } from "./features/money/routes.ts";
import { needsYouRoutes } from "./features/needs-you/routes.ts";
import { overviewRoutes } from "./features/overview/routes.ts";
import { findingRoutes, laptopRoutes, productRoutes } from "./features/products/routes.ts";
import { reportRoutes } from "./features/reports/routes.ts";
import { reviewRoutes } from "./features/reviews/routes.ts";
import { invitationRoutes } from "./features/rewards/routes.ts";
import { savedProductRoutes, savedSearchRoutes } from "./features/saved/routes.ts";
import { shopSettingsRoutes } from "./features/shop-settings/routes.ts";
import { staffRoutes } from "./features/staff/routes.ts";
import { createTokens } from "./http/access-tokens.ts";
import { identifyBrowsers } from "./http/browser-id.ts";
import { rejectCrossSiteWrites } from "./http/csrf.ts";
import { handleError, handleUnknownRoute } from "./http/error-handler.ts";
import { enableGracefulShutdown } from "./http/graceful-shutdown.ts";
import {
  carryRequestIds,
  loggerOptions,
  logStateChanges,
  measureRequests,
  RequestLogController,
} from "./http/logging.ts";
import { registerOpenApi } from "./http/openapi.ts";
import { globalRateLimit } from "./http/rate-limit.ts";
import {
  enforceBodyTimeouts,
  limitConnections,
  limitJsonDepth,
  maxBodyBytes,
  serverTimeouts,
} from "./http/request-limits.ts";
import { createRouter } from "./http/route-registration.ts";
import { registerSecurityHeaders } from "./http/security-headers.ts";
import { closeShop } from "./pages/closed-shop.ts";
import { previewDrafts } from "./pages/preview-drafts.ts";
import { shopFileRoutes } from "./pages/shop-files.ts";
import { sitemapRoutes } from "./pages/sitemap.ts";
import { serveHits } from "./public-cache/serve-hits.ts";
import type { Tracing } from "./tracing/tracing.ts";

export async function buildApp(
  deps: Deps,
  { tracing }: { tracing?: Tracing | undefined } = {},
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: loggerOptions(deps.config.logLevel),
    logController: new RequestLogController(),
    genReqId: newRequestId,
    bodyLimit: maxBodyBytes,
    return503OnClosing: false,
    ...serverTimeouts(deps.config),
    trustProxy: deps.config.trustProxy,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
  });
  await tracing?.traceRequests(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler((route) => {
    const serialize = serializerCompiler(route as Parameters<typeof serializerCompiler>[0]);
    return (answer) => withAbsoluteImageUrls(serialize(answer), deps.config.publicUrl);
  });
  app.setErrorHandler(handleError);
  app.removeContentTypeParser("text/plain");
  limitJsonDepth(app);
  app.decorateRequest("caller", undefined);
  app.decorateRequest("sessionId", "");
  app.decorateRequest("errorCode", "");
  enforceBodyTimeouts(app, deps.config);
  limitConnections(app.server, deps.config);
  logStateChanges(app);
  carryRequestIds(app);
  measureRequests(app, deps.metrics);
  await registerPlugins(app, deps);
  identifyBrowsers(app, deps.config);
  previewDrafts(app, deps);
  closeShop(app, deps);

  const tokens = createTokens(deps.config, deps.clock);
  const router = createRouter(app, { deps, tokens, findActiveMember });
  identityRoutes(app, deps);
  memberRoutes(router);
  accountRoutes(router);
  productRoutes(router);
  findingRoutes(router);
  categoryRoutes(router);
  laptopRoutes(router);
  savedProductRoutes(router);
  savedSearchRoutes(router);
  messageRoutes(router);
  imageRoutes(router);
  serveImages(app, deps);
  offerRoutes(router);
  bookingRoutes(router);
  meetingRoutes(router);
  paymentRoutes(router);
  payoutRoutes(router);
  complaintRoutes(router);
  dealRecordRoutes(router);
  ledgerRoutes(router);
  needsYouRoutes(router);
  reviewRoutes(router);
  reportRoutes(router);
  invitationRoutes(router);
  auditLogRoutes(router);
  overviewRoutes(router);
  shopSettingsRoutes(router);
  staffRoutes(router);
  operationRoutes(router, {
    isUp: () => app.server.listening && !app.isDraining(),
    openApi: () => app.swagger() as { openapi: string },
  });
  sitemapRoutes(app, deps);
  shopFileRoutes(app, deps);
  serveHits(app, deps);
  enableGracefulShutdown(app);
  return app;
}

async function registerPlugins(app: FastifyInstance, { config }: Deps): Promise<void> {
  registerSecurityHeaders(app, config);
  rejectCrossSiteWrites(app, config);
  if (config.rateLimit) await app.register(rateLimit, globalRateLimit);
  // The plugin limits only known routes, but requests for unknown paths cost just as much.
  app.setNotFoundHandler(
    { ...(config.rateLimit && { preHandler: app.rateLimit() }) },
    handleUnknownRoute,
  );
  await app.register(multipart);
  await registerOpenApi(app);
}
