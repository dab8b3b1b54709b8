import * as calls from "#contract/bookings.ts";
import * as recordCalls from "#contract/deal-records.ts";
import * as handoverCalls from "#contract/handover.ts";
import * as meetingCalls from "#contract/meetings.ts";
import * as offerCalls from "#contract/offers.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { created, listed, ok, type Router } from "../../http/route-registration.ts";
import { draftEvidence } from "../deal-records/draft-evidence.ts";
import { listDealMessages, readDealRecord } from "../deal-records/read-deal-record.ts";
import { submitEvidence } from "../deal-records/submit-evidence.ts";
import { settleLeftover } from "../money/leftover.ts";
import { readReceiptIssuer } from "../shop-settings/shop-settings.ts";
import { acceptOffer, declineOffer, withdrawOffer } from "./answer-offer.ts";
import { bookProduct } from "./book-product.ts";
import { cancelBooking } from "./end-hold.ts";
import * as handover from "./handover.ts";
import { readHandover } from "./handover.ts";
import { findBooking, listBookings } from "./list-bookings.ts";
import { listOffers } from "./list-offers.ts";
import { counterOffer, makeOffer } from "./make-offer.ts";
import { readCalendar } from "./meeting-calendar.ts";
import { acceptMeeting, cancelMeeting, proposeMeeting } from "./meetings.ts";

const acknowledged = ok({ acknowledged: true as const });
const modified = ok({ acknowledged: true as const, modifiedCount: 1 as const });
const inserted = (insertedId: string) => created({ acknowledged: true as const, insertedId });

export function bookingRoutes({ route, deps }: Router): void {
  route(calls.bookProduct, async ({ body, caller, request }) => {
    const order = { ...body, network: networkOf(request.ip) };
    const { id, repeated } = await bookProduct(deps, caller, order);
    const answer = { acknowledged: true as const, insertedId: id };
    return repeated ? ok(answer) : created(answer);
  });

  route(calls.listBookings, async ({ params, query }) =>
    listed(await listBookings(deps, params.email, query)),
  );

  route(calls.findBookingToPay, async ({ params, caller }) => {
    const booking = await findBooking(deps, caller, params.id);
    return ok({ ...booking, receiptIssuer: await readReceiptIssuer(deps.db, booking.paidAt) });
  });

  route(calls.cancelBooking, async ({ params, caller }) => {
    await cancelBooking(deps, caller, params.id);
    return modified;
  });

  route(handoverCalls.readHandover, async ({ params, caller }) =>
    ok(await readHandover(deps, caller, params.id)),
  );

  route(handoverCalls.confirmHandover, async ({ body, caller }) => {
    await handover.confirmHandover(deps, caller, body.id);
    return modified;
  });

  route(handoverCalls.issueHandoverCode, async ({ body, caller }) =>
    created(await handover.issueHandoverCode(deps, caller, body.id)),
  );

  route(handoverCalls.confirmHandoverByCode, async ({ body, caller }) => {
    await handover.confirmHandoverByCode(deps, caller, { bookingId: body.id, code: body.code });
    return modified;
  });
}

export function offerRoutes({ route, deps }: Router): void {
  route(offerCalls.listOffers, async ({ query, caller }) =>
    listed(await listOffers(deps, caller, query)),
  );

  route(offerCalls.makeOffer, async ({ body, caller }) =>
    inserted(await makeOffer(deps, caller, body)),
  );

  route(offerCalls.acceptOffer, async ({ params, caller, request }) =>
    inserted(await acceptOffer(deps, caller, { ...params, network: networkOf(request.ip) })),
  );

  route(offerCalls.declineOffer, async ({ params, caller }) => {
    await declineOffer(deps, caller, params.id);
    return modified;
  });

  route(offerCalls.counterOffer, async ({ params, body, caller }) =>
    inserted(await counterOffer(deps, caller, { ...params, ...body })),
  );

  route(offerCalls.withdrawOffer, async ({ params, caller }) => {
    await withdrawOffer(deps, caller, params.id);
    return ok({ acknowledged: true as const, deletedCount: 1 as const });
  });
}

export function meetingRoutes({ route, deps }: Router): void {
  route(meetingCalls.proposeMeeting, async ({ params, body, caller }) => {
    const proposal = { bookingId: params.id, ...body };
    return inserted(await proposeMeeting(deps, caller, proposal));
  });

  route(meetingCalls.acceptMeeting, async ({ params, body, caller }) => {
    await acceptMeeting(deps, caller, { bookingId: params.id, meetingId: body.meeting });
    return modified;
  });

  route(meetingCalls.cancelMeeting, async ({ params, caller }) => {
    await cancelMeeting(deps, caller, { bookingId: params.id, meetingId: params.meeting });
    return modified;
  });

  route(meetingCalls.readCalendar, async ({ params, caller }) =>
    ok({ acknowledged: true as const, file: await readCalendar(deps, caller, params.id) }),
  );
}

export function dealRecordRoutes({ route, deps }: Router): void {
  route(recordCalls.readDealRecord, async ({ params }) =>
    ok(await readDealRecord(deps, params.id)),
  );

  route(recordCalls.listDealMessages, async ({ params, query, caller }) =>
    listed(await listDealMessages(deps, caller, { bookingId: params.id, ...query })),
  );

  route(recordCalls.settleLeftover, async ({ params, body, caller }) => {
    await settleLeftover(deps, caller, { bookingId: params.id, ...body });
    return acknowledged;
  });

  route(recordCalls.draftEvidence, async ({ params, caller }) =>
    ok(await draftEvidence(deps, caller, params.id)),
  );

  route(recordCalls.submitEvidence, async ({ params, body, caller }) => {
    await submitEvidence(deps, caller, { bookingId: params.id, ...body });
    return acknowledged;
  });
}
