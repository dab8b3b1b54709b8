import * as calls from "#contract/offers.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import { acceptOffer, declineOffer, withdrawOffer } from "./answer-offer.ts";
import { listOffers } from "./list-offers.ts";
import { counterOffer, makeOffer } from "./make-offer.ts";
import { readOfferFloor, setOfferFloor } from "./set-offer-floor.ts";

const modified = ok({ acknowledged: true as const, modifiedCount: 1 as const });
const inserted = (insertedId: string) => created({ acknowledged: true as const, insertedId });

export function offerRoutes({ route, deps }: Router): void {
  route(calls.listOffers, async ({ query, caller }) =>
    listed(await listOffers(deps, caller, query)),
  );

  route(calls.makeOffer, async ({ body, caller }) => inserted(await makeOffer(deps, caller, body)));

  route(calls.acceptOffer, async ({ params, caller, request }) =>
    inserted(await acceptOffer(deps, caller, { ...params, network: networkOf(request.ip) })),
  );

  route(calls.declineOffer, async ({ params, caller }) => {
    await declineOffer(deps, caller, params.id);
    return modified;
  });

  route(calls.counterOffer, async ({ params, body, caller }) =>
    inserted(await counterOffer(deps, caller, { ...params, ...body })),
  );

  route(calls.withdrawOffer, async ({ params, caller }) => {
    await withdrawOffer(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });

  route(calls.readOfferFloor, async ({ params, caller }) =>
    ok({ floor: await readOfferFloor(deps.db, caller, params.id) }),
  );

  route(calls.setOfferFloor, async ({ params, body, caller }) => {
    await setOfferFloor(deps, caller, { ...params, ...body });
    return modified;
  });
}
