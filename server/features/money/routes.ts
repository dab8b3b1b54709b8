import * as ledger from "#contract/ledger.ts";
import * as calls from "#contract/payments.ts";
import * as payouts from "#contract/payouts.ts";
import * as refunds from "#contract/refunds.ts";
import { answer, created, listed, ok, type Router } from "../../http/route-registration.ts";
import { correctDifference } from "../ledger/differences.ts";
import { findJournals, readBalances, readReconciliation } from "../ledger/read-ledger.ts";
import { listPayments } from "./list-payments.ts";
import * as sales from "./list-sales.ts";
import * as payments from "./payments.ts";
import { connectAccount, refreshAccount } from "./payout-accounts.ts";
import { refundBooking, settleRefund } from "./refund-booking.ts";
import { storeWebhookEvent } from "./webhook-events.ts";

export function paymentRoutes({ route, deps }: Router): void {
  route(calls.createPaymentIntent, async ({ body, caller }) =>
    ok({ clientSecret: await payments.createPaymentIntent(deps, caller, body) }),
  );

  route(calls.recordPayment, async ({ body, caller }) =>
    answer.insertedOnce(payments.recordPayment(deps, caller, body)),
  );

  route(calls.receiveStripeEvent, async ({ request }) => {
    const signature = String(request.headers["stripe-signature"] ?? "");
    const event = await deps.cards.readEvent(request.body as Buffer, signature);
    const { type, otherApiVersion } = event;
    if (otherApiVersion !== undefined)
      request.log.warn(
        { eventType: type, apiVersion: otherApiVersion },
        "webhook event from another API version: run npm run stripe -- webhook",
      );
    await storeWebhookEvent(deps, event);
    return ok({ received: true as const });
  });

  route(calls.listPayments, async ({ query: { search, ...paging }, tx }) =>
    listed(await listPayments(tx, search, paging)),
  );

  route(refunds.refundBooking, async ({ body, caller }) =>
    answer.insertedOnce(refundBooking(deps, caller, body)),
  );

  route(refunds.settleRefund, async ({ body, caller }) =>
    answer.modified(settleRefund(deps, caller, body.paymentId)),
  );
}

export function payoutRoutes({ route, deps }: Router): void {
  route(payouts.readPayoutAccount, async ({ caller }) =>
    ok(await sales.readPayoutAccount(deps.db, caller)),
  );

  route(payouts.connectPayoutAccount, async ({ caller }) =>
    created({ url: await connectAccount(deps, caller) }),
  );

  route(payouts.refreshPayoutAccount, async ({ caller }) =>
    answer.acknowledged(refreshAccount(deps, caller.id)),
  );

  route(payouts.listSales, async ({ caller, query, tx }) =>
    listed(await sales.listSales(tx, caller, query)),
  );

  route(payouts.listPayouts, async ({ caller, tx }) => ok(await sales.listPayouts(tx, caller)));

  route(payouts.readStatement, async ({ caller, query, tx }) =>
    ok(await sales.readStatement(tx, caller, query.year)),
  );

  route(payouts.listStatementYears, async ({ caller, tx }) =>
    ok(await sales.listStatementYears(tx, caller)),
  );
}

export function ledgerRoutes({ route, deps }: Router): void {
  route(ledger.readLedger, async ({ tx }) =>
    ok({
      balances: await readBalances(tx),
      reconciliation: await readReconciliation(tx),
    }),
  );

  route(ledger.listJournals, async ({ query: { search }, tx }) =>
    ok(await findJournals(tx, search)),
  );

  route(ledger.correctDifference, async ({ body, caller }) =>
    answer.acknowledged(correctDifference(deps, caller, body)),
  );
}
