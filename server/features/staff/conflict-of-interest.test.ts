import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { decideComplaint } from "#contract/complaints.ts";
import { dismissFlag, listFlaggedListings } from "#contract/flagged-listings.ts";
import { decideInvitation, listSuspectInvitations } from "#contract/invitations.ts";
import { toggleSellerStatus } from "#contract/members.ts";
import { askSeller, closeConversationReport, reportConversation } from "#contract/messages.ts";
import { addProduct } from "#contract/products.ts";
import { deleteReport, reportProduct } from "#contract/reports.ts";
import { closeReviewReport, removeReview, reportReview } from "#contract/reviews.ts";
import type { StaffRole } from "#contract/roles.ts";
import { deal } from "../../testing/deal.ts";
import { dealTest } from "../../testing/fixtures.ts";
import { insertPhoto } from "../../testing/insert-laptop.ts";
import { draftListing } from "../../testing/marketplace.ts";
import { errorOf, type Person } from "../../testing/people.ts";
import { inviteByLink } from "../../testing/rewards.ts";
import type { Shop } from "../../testing/shop.ts";
import { review } from "../reviews/testing.ts";
import { applyInvitation } from "../rewards/invitation-transition.ts";

const test = dealTest();

const refused = {
  status: 403,
  code: "FORBIDDEN",
  message: "This concerns you, so another staff member must decide.",
};

async function join({ deps }: Shop, { id }: Person, staff_role: StaffRole): Promise<void> {
  await deps.db.updateTable("members").set({ staff_role }).where("id", "=", id).execute();
}

describe("conflicts of interest", () => {
  for (const role of ["support", "owner"] as const)
    test(`a member who joins the staff as ${role} can't decide a complaint about their own sale or purchase`, async ({
      shop,
      admin,
    }) => {
      const sale = await deal(shop, "complained");
      const body = { refund: 0, words: "Decided." };
      for (const party of [sale.seller, sale.buyer]) {
        await join(shop, party, role);
        const own = party.call(decideComplaint, { ...sale.at, body });
        expect(await errorOf(own)).toMatchObject(refused);
      }
      await admin.call(decideComplaint, { ...sale.at, body });
    });

  test("a staff member can refuse the rewards of an invitation as its inviter or friend, but can't approve them", async ({
    shop,
    buyer,
  }) => {
    const friend = await inviteByLink(shop, buyer);
    await join(shop, buyer, "owner");
    await join(shop, friend, "moderation");
    const { db, clock } = shop.deps;
    const { id } = await db
      .selectFrom("invitations")
      .select("id")
      .where("friend_id", "=", friend.id)
      .executeTakeFirstOrThrow();
    const suspicion = { transition: "suspect", actor: null, reason: "browser" } as const;
    await applyInvitation(db, { ...suspicion, id, at: clock.now() });
    const decide = (who: Person, approve: boolean) =>
      who.call(decideInvitation, { params: { id }, body: { approve } });
    for (const party of [buyer, friend])
      expect(await errorOf(decide(party, true))).toMatchObject(refused);
    await decide(friend, false);
    expect(await buyer.call(listSuspectInvitations, {})).toEqual([]);
  });

  test("a moderator can't verify themselves as a seller, but an owner can", async ({
    shop,
    seller,
  }) => {
    await join(shop, seller, "moderation");
    const verify = (id: string) =>
      seller.call(toggleSellerStatus, { body: { id, email: seller.email, verify: false } });
    for (const id of [seller.id, seller.id.toUpperCase()])
      expect(await errorOf(verify(id))).toMatchObject(refused);
    await join(shop, seller, "owner");
    expect(await verify(seller.id)).toMatchObject({ verify: true });
  });

  test("a moderator can't dismiss a flag on their own listing, but an owner can", async ({
    shop,
    seller,
  }) => {
    const img = await insertPhoto(shop, seller);
    const listing = await draftListing(seller, { img, use_duration: 600 });
    const { insertedId: id } = await seller.call(addProduct, { body: listing });
    await join(shop, seller, "moderation");
    const dismiss = () => seller.call(dismissFlag, { params: { id } });
    expect(await errorOf(dismiss())).toMatchObject(refused);
    expect(await seller.call(listFlaggedListings, {})).toMatchObject([{ product: { _id: id } }]);
    await join(shop, seller, "owner");
    await dismiss();
    expect(await seller.call(listFlaggedListings, {})).toEqual([]);
  });

  test("a moderator can't remove a review of themselves or close a report about them, but an owner can", async ({
    shop,
  }) => {
    const sale = await deal(shop, "handedOver");
    const { seller, buyer } = sale;
    const [about, by] = [await review(buyer, sale, { stars: 1 }), await review(seller, sale)];
    const comment = "Please look at this.";
    const product = { _id: sale.product };
    const question = { product, text: "Where is it?", key: randomUUID() };
    const { insertedId: conversation } = await buyer.call(askSeller, { body: question });
    const reports = {
      review: await buyer.call(reportReview, { params: { id: by }, body: { comment } }),
      conversation: await buyer.call(reportConversation, {
        params: { id: conversation },
        body: { comment },
      }),
      laptop: await buyer.call(reportProduct, { body: { comment, reportProduct: product } }),
    };
    const of = ({ insertedId: id }: { insertedId: string }) => ({ params: { id } });
    const decisions = [
      () => seller.call(removeReview, { params: { id: about }, body: { reason: "It is rude." } }),
      () => seller.call(closeReviewReport, of(reports.review)),
      () => seller.call(closeConversationReport, of(reports.conversation)),
      () => seller.call(deleteReport, of(reports.laptop)),
    ];
    await join(shop, seller, "moderation");
    for (const decide of decisions) expect(await errorOf(decide())).toMatchObject(refused);
    await join(shop, seller, "owner");
    for (const decide of decisions) expect(await decide()).toMatchObject({ acknowledged: true });
  });
});
