import * as calls from "#contract/bookings.ts";
import * as recordCalls from "#contract/deal-records.ts";
import * as handoverCalls from "#contract/handover.ts";
import * as meetingCalls from "#contract/meetings.ts";
import * as offerCalls from "#contract/offers.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { answer, created, listed, ok, type Router } from "../../http/route-registration.ts";
import { draftEvidence } from "../deal-records/draft-evidence.ts";
import { listDealMessages, readDealRecord } from "../deal-records/read-deal-record.ts";
import { submitEvidence } from "../deal-records/submit-evidence.ts";
import { settleLeftover } from "../money/leftover.ts";
import { readReceiptIssuer } from "../shop-settings/shop-settings.ts";
import { acceptOffer, declineOffer, withdrawOffer } from "./answer-offer.ts";
import { bookProduct } from "./book-product.ts";
import { cancelBooking } from "./end-hold.ts";
import {
  confirmHandover,
  confirmHandoverByCode,
  issueHandoverCode,
  readHandover,
} from "./handover.ts";
import { findBooking, listBookings } from "./list-bookings.ts";
import { listOffers } from "./list-offers.ts";
import { counterOffer, makeOffer } from "./make-offer.ts";
import { readCalendar } from "./meeting-calendar.ts";
import { acceptMeeting, cancelMeeting, proposeMeeting } from "./meetings.ts";

export function bookingRoutes({ route, deps }: Router): void {
  route(calls.bookProduct, async ({ body, caller, request }) => {
    const order = { ...body, network: networkOf(request.ip) };
    return answer.insertedOnce(bookProduct(deps, caller, order));
  });

  route(calls.listBookings, async ({ params, query }) =>
    listed(await listBookings(deps, params.email, query)),
  );

  route(calls.findBookingToPay, async ({ params, caller }) => {
    const booking = await findBooking(deps, caller, params.id);
    return ok({ ...booking, receiptIssuer: await readReceiptIssuer(deps.db, booking.paidAt) });
  });

  route(calls.cancelBooking, async ({ params, caller }) =>
    answer.modified(cancelBooking(deps, caller, params.id)),
  );

  route(handoverCalls.readHandover, async ({ params, caller }) =>
    ok(await readHandover(deps, caller, params.id)),
  );

  route(handoverCalls.confirmHandover, async ({ body, caller }) =>
    answer.modified(confirmHandover(deps, caller, body.id)),
  );

  route(handoverCalls.issueHandoverCode, async ({ body, caller }) =>
    created(await issueHandoverCode(deps, caller, body.id)),
  );

  route(handoverCalls.confirmHandoverByCode, async ({ body, caller }) =>
    answer.modified(confirmHandoverByCode(deps, caller, body)),
  );
}

export function offerRoutes({ route, deps }: Router): void {
  route(offerCalls.listOffers, async ({ query, caller }) =>
    listed(await listOffers(deps, caller, query)),
  );

  route(offerCalls.makeOffer, async ({ body, caller }) =>
    answer.inserted(makeOffer(deps, caller, body)),
  );

  route(offerCalls.acceptOffer, async ({ params, caller, request }) =>
    answer.inserted(acceptOffer(deps, caller, { ...params, network: networkOf(request.ip) })),
  );

  route(offerCalls.declineOffer, async ({ params, caller }) =>
    answer.modified(declineOffer(deps, caller, params.id)),
  );

  route(offerCalls.counterOffer, async ({ params, body, caller }) =>
    answer.inserted(counterOffer(deps, caller, { ...params, ...body })),
  );

  route(offerCalls.withdrawOffer, async ({ params, caller }) =>
    answer.deleted(withdrawOffer(deps, caller, params.id)),
  );
}

export function meetingRoutes({ route, deps }: Router): void {
  route(meetingCalls.proposeMeeting, async ({ params, body, caller }) =>
    answer.inserted(proposeMeeting(deps, caller, { ...params, ...body })),
  );

  route(meetingCalls.acceptMeeting, async ({ params, body, caller }) =>
    answer.modified(acceptMeeting(deps, caller, { ...params, ...body })),
  );

  route(meetingCalls.cancelMeeting, async ({ params, caller }) =>
    answer.modified(cancelMeeting(deps, caller, params)),
  );

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

  route(recordCalls.settleLeftover, async ({ params, body, caller }) =>
    answer.acknowledged(settleLeftover(deps, caller, { bookingId: params.id, ...body })),
  );

  route(recordCalls.draftEvidence, async ({ params, caller }) =>
    ok(await draftEvidence(deps, caller, params.id)),
  );

  route(recordCalls.submitEvidence, async ({ params, body, caller }) =>
    answer.acknowledged(submitEvidence(deps, caller, { bookingId: params.id, ...body })),
  );
}
