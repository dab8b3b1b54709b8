import * as calls from "#contract/deal-records.ts";
import { listed, ok, type Router } from "../../http/route-registration.ts";
import { settleLeftover } from "../money/settle-leftover.ts";
import { listDealMessages } from "./deal-messages.ts";
import { draftEvidence } from "./draft-evidence.ts";
import { readDealRecord } from "./read-deal-record.ts";
import { submitEvidence } from "./submit-evidence.ts";

export function dealRecordRoutes({ route, deps }: Router): void {
  route(calls.readDealRecord, async ({ params }) => ok(await readDealRecord(deps, params.id)));

  route(calls.listDealMessages, async ({ params, query, caller }) =>
    listed(await listDealMessages(deps, caller, { bookingId: params.id, ...query })),
  );

  route(calls.settleLeftover, async ({ params, body, caller }) => {
    await settleLeftover(deps, caller, { bookingId: params.id, ...body });
    return ok({ acknowledged: true as const });
  });

  route(calls.draftEvidence, async ({ params, caller }) =>
    ok(await draftEvidence(deps, caller, params.id)),
  );

  route(calls.submitEvidence, async ({ params, body, caller }) => {
    await submitEvidence(deps, caller, { bookingId: params.id, ...body });
    return ok({ acknowledged: true as const });
  });
}
