import * as config from "#contract/config.ts";
import { readHealth, retryJobs } from "#contract/health.ts";
import { embeddedImageHost } from "#contract/images.ts";
import { friendOffer, promoOf, ruleCents } from "#contract/invitation-rules.ts";
import * as calls from "#contract/operations.ts";
import { toDollars } from "#contract/price.ts";
import { createReachabilityCheck } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { currentFee, currentPromo, currentTimes } from "../deals/fee-times-and-promo.ts";
import * as jobs from "./retry-jobs.ts";

type ServerState = {
  /** Whether the server is listening and not shutting down. */
  isUp: () => boolean;
  openApi: () => { openapi: string };
};

const readyTimeoutMs = 2_000;

export function operationRoutes({ route, deps }: Router, { isUp, openApi }: ServerState): void {
  const isDatabaseReachable = createReachabilityCheck(deps.db, readyTimeoutMs);

  route(calls.isHealthy, async () => ok({ status: "ok" as const }));

  route(calls.isReady, async () => {
    if (isUp() && (await isDatabaseReachable())) return ok({ status: "ok" as const });
    throw new AppError("UNAVAILABLE", "Not ready yet.");
  });

  route(readHealth, async () => {
    const health = await deps.metrics.health();
    if (health) return ok(health);
    throw new AppError("UNAVAILABLE", "We can't reach our records for the moment.");
  });

  route(retryJobs, async () => {
    const modifiedCount = await jobs.retryJobs(deps.db);
    deps.metrics.forgetShopState();
    return ok({ acknowledged: true as const, modifiedCount });
  });

  route(calls.readOpenApi, async () => ok(openApi()));

  route(config.readConfig, async () => {
    const { holdHours, handoverDays, complaintHours } = currentTimes(deps);
    const promo = currentPromo(deps);
    return ok({
      imageHost: deps.imageHost?.browser ?? embeddedImageHost,
      cardPublishableKey: deps.cards.browser.publishableKey,
      cardScriptUrl: deps.cards.browser.scriptUrl,
      identity: deps.identity.firebase ? ("firebase" as const) : ("embedded" as const),
      firebase: deps.identity.firebase,
      signInProviders: deps.identity.providers,
      mailInboxUrl: deps.mail.inboxUrl,
      currency: deps.shop.currency,
      holdHours,
      fee: currentFee(deps),
      handoverDays,
      complaintHours,
      selling: deps.shop.get().selling,
      invitations: {
        promo: promoOf(promo),
        friendOffer: friendOffer(promo),
        discountOver: toDollars(ruleCents(promo.discountOver)),
      },
      demo: deps.config.demo,
      staging: deps.config.staging,
    });
  });
}
