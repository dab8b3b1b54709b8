import { acceptMeeting, cancelMeeting, proposeMeeting } from "#contract/meetings.ts";
import {
  acceptOffer,
  counterOffer,
  declineOffer,
  makeOffer,
  withdrawOffer,
} from "#contract/offers.ts";
import { writeReview } from "#contract/reviews.ts";
import type { Scenario, Verb } from "./scenario.ts";

type Side = "buyer" | "seller";

const review =
  (side: Side): Verb =>
  (executor, scenario, key) =>
    executor.request(writeReview, {
      who: scenario[side],
      key,
      verb: "write",
      request: { body: { booking: scenario.booking, stars: 5, text: "As described." } },
    });

const propose =
  (side: Side): Verb =>
  (executor, scenario, key) => {
    const startsAt = new Date(executor.deps.clock.now().getTime() + 24 * 3_600_000).toISOString();
    return executor.request(proposeMeeting, {
      // An empty `verb` skips the audit check: that row's id is the booking's, not the meeting's.
      who: scenario[side],
      key,
      verb: "",
      request: {
        params: { id: scenario.booking },
        body: { place: "Union Station", startsAt, timeZone: "Europe/London" },
      },
    });
  };

const onMeeting = ({ booking: id, meeting }: Scenario) => ({ id, meeting });

export const offerVerbs = {
  makeOffer: (executor, { buyer, product }, key) =>
    executor.request(makeOffer, {
      who: buyer,
      key,
      verb: "make",
      request: {
        body: { product: { _id: product }, price: 500, phone: "5550177", location: "Station" },
      },
    }),
  acceptOffer: (executor, { seller, offer: id }, key) =>
    executor.request(acceptOffer, {
      who: seller,
      key,
      verb: "hold",
      request: { params: { id } },
    }),
  declineOffer: (executor, { seller, offer: id }, key) =>
    executor.request(declineOffer, {
      who: seller,
      key,
      verb: "decline",
      id,
      request: { params: { id } },
    }),
  counterOffer: (executor, { seller, offer: id }, key) =>
    executor.request(counterOffer, {
      who: seller,
      key,
      verb: "make",
      request: { params: { id }, body: { price: 600 } },
    }),
  withdrawOffer: (executor, { buyer, offer: id }, key) =>
    executor.request(withdrawOffer, {
      who: buyer,
      key,
      verb: "withdraw",
      id,
      request: { params: { id } },
    }),
  proposeMeeting: propose("buyer"),
  proposeMeetingBySeller: propose("seller"),
  acceptMeeting: (executor, scenario, key) =>
    executor.request(acceptMeeting, {
      who: scenario.seller,
      key,
      verb: "",
      request: { params: { id: scenario.booking }, body: { meeting: scenario.meeting } },
    }),
  cancelMeeting: (executor, scenario, key) =>
    executor.request(cancelMeeting, {
      who: scenario.buyer,
      key,
      verb: "",
      request: { params: onMeeting(scenario) },
    }),
  reviewByBuyer: review("buyer"),
  reviewBySeller: review("seller"),
} satisfies Record<string, Verb>;
