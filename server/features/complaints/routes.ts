import * as calls from "#contract/complaints.ts";
import { answer, created, listed, ok, type Router } from "../../http/route-registration.ts";
import * as complaints from "./complaints.ts";
import { listComplaints, readComplaint } from "./read-complaints.ts";

export function complaintRoutes({ route, deps }: Router): void {
  route(calls.complain, async ({ body, caller }) => {
    await complaints.complain(deps, caller, body);
    return created({ acknowledged: true as const });
  });

  route(calls.readComplaint, async ({ params, caller }) =>
    ok(await readComplaint(deps, caller, params.id)),
  );

  route(calls.answerComplaint, async ({ params, body, caller }) =>
    answer.modified(complaints.answerComplaint(deps, caller, { bookingId: params.id, ...body })),
  );

  route(calls.closeComplaint, async ({ params, body, caller }) =>
    answer.modified(complaints.closeComplaint(deps, caller, { bookingId: params.id, ...body })),
  );

  route(calls.listComplaints, async ({ query, tx }) =>
    listed(await listComplaints({ ...deps, db: tx }, query)),
  );

  route(calls.decideComplaint, async ({ params, body, caller }) =>
    answer.modified(complaints.decideComplaint(deps, caller, { bookingId: params.id, ...body })),
  );
}
