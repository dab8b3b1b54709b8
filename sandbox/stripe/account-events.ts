import { timestamp } from "./clock.ts";
import { newId } from "./new-objects.ts";
import type { Payout, ThinEvent } from "./objects.ts";
import type { Store } from "./store.ts";

type AccountEvent = "capability" | "requirements";

const accountEvents: Record<AccountEvent, ThinEvent["type"]> = {
  capability: "v2.core.account[configuration.recipient].capability_status_updated",
  requirements: "v2.core.account[requirements].updated",
};

export function saveAccountEvent(store: Store, account: string, about: AccountEvent): void {
  const url = `/v2/core/accounts/${account}`;
  const related = { id: account, type: "v2.core.account", url };
  store.saveThinEvent(thinEvent(accountEvents[about], account, related));
}

export function savePayoutEvent(
  store: Store,
  type: `payout.${"created" | "updated" | "paid" | "failed"}`,
  payout: Payout,
): void {
  const account = store.accountOf(payout.id);
  const related = { id: payout.id, type: "payout", url: `/v1/payouts/${payout.id}` };
  store.saveThinEvent(thinEvent(`v1.${type}`, account, related));
}

function thinEvent(
  type: ThinEvent["type"],
  context: string,
  related_object: ThinEvent["related_object"],
): ThinEvent {
  return {
    id: newId("evt"),
    object: "v2.core.event",
    type,
    context,
    related_object,
    created: timestamp(),
    livemode: false,
  };
}
