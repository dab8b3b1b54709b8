import { goodLaptop } from "#server/testing/marketplace.ts";
import type { Person } from "#server/testing/people.ts";
import type { Kind } from "./actors.ts";
import type { Fixtures } from "./fixtures.ts";
import { dealsByEmail, type Rows } from "./row.ts";

const price = goodLaptop.resale_price;

export const dealRows = {
  bookProduct: {
    ask: async (fixtures) => ({
      body: {
        price,
        phone: "5550177",
        location: "Leeds station",
        bookingProduct: { _id: await fixtures.product() },
      },
    }),
  },
  listBookings: {
    ...dealsByEmail,
    tellsOtherSide: true,
    ask: async (fixtures, owner) => {
      await fixtures.booking(owner);
      return { params: { email: owner.email } };
    },
  },
  findBookingToPay: {
    owners: ["buyer"],
    tellsOtherSide: true,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.booking(owner) } }),
  },
  cancelBooking: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.booking(owner) } }),
  },
  readHandover: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.paidBooking(owner) } }),
  },
  proposeMeeting: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => ({
      params: { id: await fixtures.paidBooking(owner) },
      body: {
        place: "Leeds station",
        startsAt: new Date(fixtures.shop.clock.now().getTime() + 3_600_000).toISOString(),
        timeZone: "Europe/London",
      },
    }),
  },
  acceptMeeting: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => {
      const { id, meeting } = await fixtures.meeting(owner, "proposed");
      return { params: { id }, body: { meeting } };
    },
  },
  cancelMeeting: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => ({ params: await fixtures.meeting(owner, "proposed") }),
  },
  readCalendar: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => {
      const { id } = await fixtures.meeting(owner, "agreed");
      return { params: { id } };
    },
  },
  confirmHandover: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => ({ body: { id: await fixtures.toReceive(owner) } }),
  },
  issueHandoverCode: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({ body: { id: await fixtures.paidBooking(owner) } }),
  },
  confirmHandoverByCode: {
    owners: ["seller"],
    ask: async (fixtures, owner) => ({ body: await fixtures.handoverCode(owner) }),
  },
  createPaymentIntent: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({ body: { price, bookingId: await fixtures.booking(owner) } }),
  },
  recordPayment: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({ body: await fixtures.paidAtProvider(owner) }),
  },
  // Requires a signature, which no actor has.
  receiveStripeEvent: { ask: async () => ({ body: { id: "evt_1", type: "nothing" } }) },
  refundBooking: {
    ask: async (fixtures) => ({ body: { bookingId: await fixtures.paidBooking() } }),
  },
  settleRefund: {
    ask: async (fixtures) => ({ body: { paymentId: await fixtures.failedRefund() } }),
  },
  complain: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({
      body: {
        bookingId: await fixtures.handedOver(owner),
        reason: "not_working",
        words: "The screen stays black.",
      },
    }),
  },
  readComplaint: {
    owners: ["buyer", "seller"],
    others: ["admin", "support", "finance"],
    tellsOtherSide: true,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.complaint(owner) } }),
  },
  answerComplaint: {
    owners: ["seller"],
    ask: async (fixtures, owner) => ({
      params: { id: await fixtures.complaint(owner) },
      body: { answer: "offer", offer: 20, words: "It worked when I sold it." },
    }),
  },
  closeComplaint: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({
      params: { id: await fixtures.complaint(owner) },
      body: { agree: "withdraw", offer: null },
    }),
  },
  decideComplaint: {
    ask: async (fixtures) => ({
      params: { id: await fixtures.complaint() },
      body: { refund: 0, words: "The photos show that it works." },
    }),
  },
  readDealRecord: { ask: async (fixtures) => ({ params: { id: await fixtures.complaint() } }) },
  listDealMessages: { ask: async (fixtures) => ({ params: { id: await fixtures.complaint() } }) },
  settleLeftover: {
    ask: async (fixtures) => ({
      params: { id: await fixtures.leftover() },
      body: { to: "buyer", amount: 50 },
    }),
  },
  draftEvidence: {
    ask: async (fixtures) => ({ params: { id: (await fixtures.disputed()).booking } }),
  },
  submitEvidence: {
    ask: async (fixtures) => {
      const { booking: id, dispute } = await fixtures.disputed();
      return { params: { id }, body: { dispute, text: "The buyer has the laptop." } };
    },
  },
  readStatement: { ask: async () => ({ query: { year: String(new Date().getUTCFullYear()) } }) },
} satisfies Rows;

const sides: Kind[] = ["buyer", "seller"];

const toOwner = async (fixtures: Fixtures, owner: Person) => ({
  params: { id: await fixtures.offer(owner, "to") },
});

export const offerRows = {
  makeOffer: {
    ask: async (fixtures) => ({
      body: {
        price: 450,
        phone: "5550177",
        location: "Leeds station",
        product: { _id: await fixtures.product() },
      },
    }),
  },
  acceptOffer: { owners: sides, ask: toOwner },
  declineOffer: { owners: sides, ask: toOwner },
  counterOffer: {
    owners: sides,
    ask: async (...from) => ({ ...(await toOwner(...from)), body: { price: 480 } }),
  },
  withdrawOffer: {
    owners: sides,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.offer(owner, "by") } }),
  },
} satisfies Rows;

const ofSeller = async ({ members }: Fixtures) => ({ params: { id: members.seller[0].id } });

const aboutSeller = async (fixtures: Fixtures) =>
  await fixtures.reportedReview(fixtures.members.seller[0]);

export const reviewRows = {
  readSeller: { ask: ofSeller },
  listSellerLaptops: { ask: ofSeller },
  listSellerReviews: { ask: ofSeller },
  writeReview: {
    owners: sides,
    ask: async (fixtures, owner) => ({
      body: { booking: await fixtures.dealToReview(owner), stars: 5, text: "All good." },
    }),
  },
  replyToReview: {
    owners: sides,
    ask: async (fixtures, owner) => ({
      params: { id: await fixtures.reviewAbout(owner) },
      body: { text: "Thank you." },
    }),
  },
  reportReview: {
    ask: async (fixtures) => ({
      params: { id: await fixtures.reviewAbout(fixtures.members.seller[0]) },
      body: { comment: "Not true." },
    }),
  },
  closeReviewReport: {
    ask: async (fixtures) => ({ params: { id: (await aboutSeller(fixtures)).id } }),
  },
  removeReview: {
    ask: async (fixtures) => ({
      params: { id: (await aboutSeller(fixtures)).review_id },
      body: { reason: "Insults." },
    }),
  },
  setReviewEmails: { ask: async () => ({ body: { emails: false } }) },
} satisfies Rows;
