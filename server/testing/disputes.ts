import { listAuditLog } from "#contract/audit.ts";
import { listPayments } from "#contract/payments.ts";
import type { Dispute } from "../adapters/cards/port.ts";
import { settlePayment } from "../features/money/settle-payment.ts";
import type { Deal } from "./marketplace.ts";
import type { Person } from "./people.ts";
import type { Shop } from "./shop.ts";

/** `movements`: cents that the bank took or returned. The first is the disputed amount. */
export async function reportDispute(
  { deps, clock }: Shop,
  { booking, intent: id }: Deal,
  { state, movements }: Pick<Dispute, "state" | "movements">,
): Promise<void> {
  const intent = await deps.cards.findIntent(id);
  const one = { id: `du_${booking}`, reason: "fraudulent", amountCents: -(movements[0] ?? 0) };
  const at = { respondBy: null, openedAt: clock.now() };
  await settlePayment(
    deps,
    { ...intent, disputes: [{ ...one, ...at, state, movements }] },
    "webhook",
  );
}

export async function findPayment(admin: Person, { intent }: Deal) {
  const [payment] = await admin.call(listPayments, { query: { search: intent } });
  return payment;
}

export async function disputeOf(admin: Person, deal: Deal) {
  return (await findPayment(admin, deal))?.dispute;
}

export async function paymentAudit(admin: Person, deal: Deal) {
  const objectId = (await findPayment(admin, deal))?._id;
  return (await admin.call(listAuditLog, { query: { objectId } })).reverse();
}
