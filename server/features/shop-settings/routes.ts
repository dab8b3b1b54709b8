import { readFirstSteps } from "#contract/first-steps.ts";
import * as calls from "#contract/shop-settings.ts";
import { ok, type Router } from "../../http/route-registration.ts";
import { defaultTerms } from "../deals/fee-times-and-promo.ts";
import * as firstSteps from "./first-steps.ts";
import { previewEmail } from "./preview-email.ts";
import * as settings from "./shop-settings.ts";

const acknowledged = { acknowledged: true as const };

export function shopSettingsRoutes({ route, deps }: Router): void {
  route(calls.readShopSettings, async ({ tx }) =>
    ok({ ...(await settings.readShopSettings(tx)), defaults: defaultTerms(deps) }),
  );

  route(calls.saveShopDraft, async ({ body }) =>
    ok({ ...acknowledged, ...(await settings.saveDraft(deps, body)) }),
  );

  route(calls.discardShopDraft, async () => {
    await settings.discardDraft(deps);
    return ok(acknowledged);
  });

  route(calls.publishShopSettings, async ({ caller, body }) => {
    await settings.publishSettings(deps, { ...body, actor: caller.id });
    return ok(acknowledged);
  });

  route(calls.restoreShopVersion, async ({ caller, body }) => {
    await settings.restoreVersion(deps, { actor: caller.id, version: body._id });
    return ok(acknowledged);
  });

  route(calls.previewEmail, async ({ caller: owner, body }) =>
    ok(await previewEmail(deps, { ...body, owner })),
  );

  route(readFirstSteps, async ({ tx }) => ok(await firstSteps.readFirstSteps(tx, deps)));

  route(calls.readPageText, async ({ query }) =>
    ok({ text: deps.shop.get().texts[query.path]?.text ?? null }),
  );
}
