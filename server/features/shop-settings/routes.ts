import { readFirstSteps } from "#contract/first-steps.ts";
import * as calls from "#contract/shop-settings.ts";
import { answer, ok, type Router } from "../../http/route-registration.ts";
import { defaultTerms } from "../deals/fee-times-and-promo.ts";
import * as firstSteps from "./first-steps.ts";
import { previewEmail } from "./preview-email.ts";
import * as settings from "./shop-settings.ts";

export function shopSettingsRoutes({ route, deps }: Router): void {
  route(calls.readShopSettings, async ({ tx }) =>
    ok({ ...(await settings.readShopSettings(tx)), defaults: defaultTerms(deps) }),
  );

  route(calls.saveShopDraft, async ({ body }) =>
    ok({ acknowledged: true as const, ...(await settings.saveDraft(deps, body)) }),
  );

  route(calls.discardShopDraft, async () => answer.acknowledged(settings.discardDraft(deps)));

  route(calls.publishShopSettings, async ({ caller, body }) =>
    answer.acknowledged(settings.publishSettings(deps, { ...body, actor: caller.id })),
  );

  route(calls.restoreShopVersion, async ({ caller, body }) =>
    answer.acknowledged(settings.restoreVersion(deps, { actor: caller.id, version: body._id })),
  );

  route(calls.previewEmail, async ({ caller: owner, body }) =>
    ok(await previewEmail(deps, { ...body, owner })),
  );

  route(readFirstSteps, async ({ tx }) => ok(await firstSteps.readFirstSteps(tx, deps)));

  route(calls.readPageText, async ({ query }) =>
    ok({ text: deps.shop.get().texts[query.path]?.text ?? null }),
  );
}
