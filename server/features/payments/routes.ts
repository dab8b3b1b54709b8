import * as calls from "#contract/payments.ts";
import { created, type Feature, listed, ok } from "../../http/route-registration.ts";
import { listPayments } from "./ledger.ts";
import * as payments from "./payments.ts";
import { refundBooking } from "./refunds.ts";

export function paymentRoutes({ serve, deps }: Feature): void {
  serve(calls.createPaymentIntent, async ({ body, caller }) =>
    ok({ clientSecret: await payments.createPaymentIntent(deps, caller, body) }),
  );

  serve(calls.recordPayment, async ({ body, caller }) => {
    const { id, repeated } = await payments.recordPayment(deps, caller, body);
    const answer = { acknowledged: true as const, insertedId: id };
    return repeated ? ok(answer) : created(answer);
  });

  serve(calls.receiveStripeEvent, async ({ request }) => {
    const signature = String(request.headers["stripe-signature"] ?? "");
    await payments.receiveEvent(deps, deps.cards.readEvent(request.body as Buffer, signature));
    return ok({ received: true as const });
  });

  serve(calls.listPayments, async ({ query: { search, ...paging } }) =>
    listed(await listPayments(deps.db, search, paging)),
  );

  serve(calls.refundBooking, async ({ body, caller }) => {
    const { id, repeated } = await refundBooking(deps, caller, body.bookingId);
    const answer = { acknowledged: true as const, insertedId: id };
    return repeated ? ok(answer) : created(answer);
  });
}
