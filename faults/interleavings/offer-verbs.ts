import { acceptMeeting, cancelMeeting, proposeMeeting } from "#contract/meetings.ts";
import {
  acceptOffer,
  counterOffer,
  declineOffer,
  makeOffer,
  withdrawOffer,
} from "#contract/offers.ts";
import { writeReview } from "#contract/reviews.ts";
import type { Verb } from "./scenario.ts";

type Side = "buyer" | "seller";

const review =
  (side: Side): Verb =>
  (executor, scenario) =>
    executor.request(writeReview, {
      who: scenario[side],
      verb: "write",
      body: { booking: scenario.booking, stars: 5, text: "As described." },
    });

const propose =
  (side: Side): Verb =>
  (executor, scenario) => {
    const startsAt = new Date(executor.deps.clock.now().getTime() + 24 * 3_600_000).toISOString();
    return executor.request(proposeMeeting, {
      // Without a `verb`, because the audit row's id is the booking's, not the meeting's.
      who: scenario[side],
      params: { id: scenario.booking },
      body: { place: "Union Station", startsAt, timeZone: "Europe/London" },
    });
  };

export const offerRequests = {
  makeOffer: (executor, { buyer, product }) =>
    executor.request(makeOffer, {
      who: buyer,
      verb: "make",
      body: { product: { _id: product }, price: 500, phone: "5550177", location: "Station" },
    }),
  acceptOffer: (executor, { seller, offer: id }) =>
    executor.request(acceptOffer, { who: seller, verb: "hold", params: { id } }),
  declineOffer: (executor, { seller, offer: id }) =>
    executor.request(declineOffer, { who: seller, verb: "decline", params: { id } }),
  counterOffer: (executor, { seller, offer: id }) =>
    executor.request(counterOffer, {
      who: seller,
      verb: "make",
      params: { id },
      body: { price: 600 },
    }),
  withdrawOffer: (executor, { buyer, offer: id }) =>
    executor.request(withdrawOffer, { who: buyer, verb: "withdraw", params: { id } }),
  proposeMeeting: propose("buyer"),
  proposeMeetingBySeller: propose("seller"),
  acceptMeeting: (executor, { seller, booking, meeting }) =>
    executor.request(acceptMeeting, { who: seller, params: { id: booking }, body: { meeting } }),
  cancelMeeting: (executor, { buyer, booking, meeting }) =>
    executor.request(cancelMeeting, { who: buyer, params: { id: booking, meeting } }),
  reviewByBuyer: review("buyer"),
  reviewBySeller: review("seller"),
} satisfies Record<string, Verb>;
