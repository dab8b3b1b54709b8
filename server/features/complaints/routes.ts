import * as calls from "#contract/complaints.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import * as complaints from "./complaints.ts";
import { listComplaints, readComplaint } from "./read-complaints.ts";

const modified = ok({ acknowledged: true as const, modifiedCount: 1 as const });

export function complaintRoutes({ route, deps }: Router): void {
  route(calls.complain, async ({ body, caller }) => {
    await complaints.complain(deps, caller, body);
    return created({ acknowledged: true as const });
  });

  route(calls.readComplaint, async ({ params, caller }) =>
    ok(await readComplaint(deps, caller, params.id)),
  );

  route(calls.answerComplaint, async ({ params, body, caller }) => {
    await complaints.answerComplaint(deps, caller, { bookingId: params.id, ...body });
    return modified;
  });

  route(calls.closeComplaint, async ({ params, body, caller }) => {
    await complaints.closeComplaint(deps, caller, { bookingId: params.id, ...body });
    return modified;
  });

  route(calls.listComplaints, async ({ query, tx }) =>
    listed(await listComplaints({ ...deps, db: tx }, query)),
  );

  route(calls.decideComplaint, async ({ params, body, caller }) => {
    await complaints.decideComplaint(deps, caller, { bookingId: params.id, ...body });
    return modified;
  });
}
