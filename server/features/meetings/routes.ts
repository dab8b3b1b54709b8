import * as calls from "#contract/meetings.ts";
import { created, ok, type Router } from "../../http/route-registration.ts";
import { acceptMeeting, cancelMeeting } from "./answer-meeting.ts";
import { proposeMeeting } from "./propose-meeting.ts";
import { readCalendar } from "./read-calendar.ts";

const modified = ok({ acknowledged: true as const, modifiedCount: 1 as const });

export function meetingRoutes({ route, deps }: Router): void {
  route(calls.proposeMeeting, async ({ params, body, caller }) => {
    const proposal = { bookingId: params.id, ...body };
    const insertedId = await proposeMeeting(deps, caller, proposal);
    return created({ acknowledged: true as const, insertedId });
  });

  route(calls.acceptMeeting, async ({ params, body, caller }) => {
    await acceptMeeting(deps, caller, { bookingId: params.id, meetingId: body.meeting });
    return modified;
  });

  route(calls.cancelMeeting, async ({ params, caller }) => {
    await cancelMeeting(deps, caller, { bookingId: params.id, meetingId: params.meeting });
    return modified;
  });

  route(calls.readCalendar, async ({ params, caller }) =>
    ok({ acknowledged: true as const, file: await readCalendar(deps, caller, params.id) }),
  );
}
