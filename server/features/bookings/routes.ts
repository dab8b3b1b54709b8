import * as calls from "#contract/bookings.ts";
import * as handoverCalls from "#contract/handover.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import { bookProduct } from "./book-product.ts";
import * as bookings from "./bookings.ts";
import * as handover from "./handover.ts";
import * as orders from "./list-bookings.ts";
import { readHandover } from "./read-handover.ts";

export function bookingRoutes({ route, deps }: Router): void {
  route(calls.bookProduct, async ({ body, caller, request }) => {
    const order = { ...body, network: networkOf(request.ip) };
    const { id, repeated } = await bookProduct(deps, caller, order);
    const answer = { acknowledged: true as const, insertedId: id };
    return repeated ? ok(answer) : created(answer);
  });

  route(calls.listBookings, async ({ params, query }) =>
    listed(await orders.listBookings(deps, params.email, query)),
  );

  route(calls.findBookingToPay, async ({ params, caller }) =>
    ok(await orders.findBooking(deps, caller, params.id)),
  );

  route(calls.cancelBooking, async ({ params, caller }) => {
    await bookings.cancelBooking(deps, caller, params.id);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });

  route(handoverCalls.readHandover, async ({ params, caller }) =>
    ok(await readHandover(deps, caller, params.id)),
  );

  route(handoverCalls.confirmHandover, async ({ body, caller }) => {
    await handover.confirmHandover(deps, caller, body.id);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });

  route(handoverCalls.issueHandoverCode, async ({ body, caller }) =>
    created(await handover.issueHandoverCode(deps, caller, body.id)),
  );

  route(handoverCalls.confirmHandoverByCode, async ({ body, caller }) => {
    await handover.confirmHandoverByCode(deps, caller, { bookingId: body.id, code: body.code });
    return ok({ acknowledged: true as const, modifiedCount: 1 as const });
  });
}
