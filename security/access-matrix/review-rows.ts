import type { Kind } from "./actors.ts";
import type { Fixtures } from "./fixtures.ts";
import type { Rows } from "./row.ts";

const sides: Kind[] = ["buyer", "seller"];

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
