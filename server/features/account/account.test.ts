import { sql } from "kysely";
import { describe, expect } from "vitest";
import { endOtherSessions, endSession, listSessions, readOwnData } from "#contract/account.ts";
import { type Connection, send } from "#contract/client.ts";
import { readOwnInvitations } from "#contract/invitations.ts";
import { makeOffer } from "#contract/offers.ts";
import { reportProduct } from "#contract/reports.ts";
import {
  findSessions,
  insertSession,
  listAccountReferences,
} from "../../adapters/identity/testing.ts";
import { connect, logIn, password, signUpAt } from "../../testing/browser.ts";
import { shopTest } from "../../testing/fixtures.ts";
import { bookLaptop, goodLaptop, listing, newPhoto } from "../../testing/marketplace.ts";
import { errorOf, member, type Person } from "../../testing/people.ts";
import type { Shop } from "../../testing/shop.ts";

const test = shopTest();

const sessionsOf = async (connection: Connection) =>
  (await send(connection, listSessions, {})).body;

describe("a member's sessions", () => {
  test("§10.5: a member sees only their own sessions, current session first, and not even an admin can end them", async ({
    shop,
  }) => {
    const here = await signUpAt(shop.url, "ada@example.com", "buyer");
    await logIn(shop.url, "ada@example.com");
    const other = await member(shop);
    const sessions = await sessionsOf(here);
    expect(sessions.map(({ current }) => current)).toEqual([true, false]);
    expect(sessions[0]).toMatchObject({ device: "Unknown device" });
    expect(JSON.stringify(sessions)).not.toContain("token");
    expect(await other.call(listSessions, {})).toHaveLength(1);
    const mallory = await member(shop, { isAdmin: true });
    const params = { id: sessions[0]?._id ?? "" };
    expect(await errorOf(mallory.call(endSession, { params }))).toMatchObject({ status: 404 });
    expect(await mallory.call(endOtherSessions, {})).toMatchObject({ deletedCount: 0 });
    expect(await sessionsOf(here)).toHaveLength(2);
  });

  test("§10.5: ending a session immediately invalidates its access token and signs its browser out", async ({
    shop,
  }) => {
    const here = await signUpAt(shop.url, "bea@example.com", "buyer");
    const { browser } = await logIn(shop.url, "bea@example.com");
    const connection = await connect(browser, "bea@example.com");
    const [, that] = await sessionsOf(here);
    const params = { id: that?._id ?? "" };
    await send(here, endSession, { params });
    expect(await errorOf(sessionsOf(connection))).toMatchObject({ status: 401 });
    expect(await browser.user()).toBeUndefined();
    expect(await sessionsOf(here)).toHaveLength(1);
    expect(await errorOf(send(here, endSession, { params }))).toMatchObject({ status: 404 });
  });

  test("the session list is capped at 100, but a member can still end all their other sessions at once", async ({
    shop,
  }) => {
    const many = await member(shop);
    for (let count = 0; count < 120; count += 1) await insertSession(shop.deps.db, many.id);
    expect(await many.call(listSessions, {})).toHaveLength(100);
    expect((await many.call(readOwnData, {})).sessions).toHaveLength(121);
    expect(await many.call(endOtherSessions, {})).toMatchObject({ deletedCount: 120 });
    expect(await many.call(listSessions, {})).toMatchObject([{ current: true }]);
  });

  test("signing up or signing in again in a browser ends that browser's earlier session", async ({
    shop,
  }) => {
    const here = await signUpAt(shop.url, "flora@example.com", "buyer");
    const { browser } = await logIn(shop.url, "flora@example.com");
    const connection = await connect(browser, "flora@example.com");
    const email = "grete@example.com";
    expect((await browser.post("/sign-up/email", { name: "Grete", email, password })).ok).toBe(
      true,
    );
    expect(await errorOf(sessionsOf(connection))).toMatchObject({ status: 401 });
    expect(await sessionsOf(here)).toHaveLength(1);
    await logIn(shop.url, email, { browser });
    expect(await findSessions(shop.deps.db, email)).toHaveLength(1);
  });
});

async function busy(shop: Shop): Promise<Record<"buyer" | "seller", Person>> {
  const [seller, buyer] = [await member(shop, { accountType: "seller" }), await member(shop)];
  const facts = { ram_gb: 16, screen_inches: 13.3, warranty_until: "2027-02-28", ports: ["HDMI"] };
  const product = await listing(seller, { facts, floor: 600 });
  await bookLaptop(buyer, product, { location: "Under the clock" });
  shop.clock.advance(1);
  const another = await listing(seller, { img: await newPhoto(seller) });
  const offered = { product: { _id: another }, price: 500 };
  await buyer.call(makeOffer, { body: { ...offered, phone: "5550178", location: "The station" } });
  const comment = "Is it real?";
  await buyer.call(reportProduct, { body: { comment, reportProduct: { _id: product } } });
  return { seller, buyer };
}

describe("a member's own data", () => {
  test("§10.7: the export contains the member's own data, and a seller's export omits the buyer's email, phone and location", async ({
    shop,
  }) => {
    const { seller, buyer } = await busy(shop);
    const { code } = await buyer.call(readOwnInvitations, {});
    const bought = await buyer.call(readOwnData, {});
    expect(bought).toMatchObject({
      member: { email: buyer.email, name: buyer.name, accountType: "buyer" },
      bookings: [{ phone: "5550177", location: "Under the clock" }],
      reports: [{ comment: "Is it real?", closed: false }],
      offers: [{ role: "buyer", phone: "5550178", location: "The station" }],
      savedEmails: true,
      reviewReports: [],
      sessions: [{ current: true }],
      activity: [{ verb: "hold" }, { verb: "make" }, { verb: "report" }],
      products: [],
      photos: [],
      payments: [],
      signInMethods: [],
      invitationCode: code,
    });
    const sold = await seller.call(readOwnData, {});
    expect(sold).toMatchObject({
      products: [
        {
          product_name: goodLaptop.product_name,
          mobile_number: "5550123",
          offerFloor: 600,
          facts: {
            ram_gb: 16,
            screen_inches: 13.3,
            warranty_until: "2027-02-28",
            ports: ["HDMI"],
          },
        },
        { offerFloor: null },
      ],
      offers: [{ role: "seller", phone: "", location: "" }],
      photos: Array(2).fill({ url: expect.stringContaining("/images/") }),
      bookings: [],
      reports: [],
      invitationCode: null,
    });
    expect(JSON.stringify(sold)).not.toContain(buyer.email);
    expect((await buyer.call(readOwnData, {})).activity.at(-1)?.verb).toBe("read own data");
  });

  test("every foreign key to a member or an account is on the list reviewed for the data export", async ({
    shop,
  }) => {
    const { rows } = await sql<{ name: string }>`
      select distinct format('%s.%s', conrelid::regclass, attname) as name from pg_constraint
      join pg_attribute on attrelid = conrelid and attnum = any (conkey)
      where contype = 'f' and confrelid = 'members'::regclass
      order by name`.execute(shop.deps.db);
    expect(rows.map(({ name }) => name)).toEqual([
      "audit_log.actor_id",
      "blocked_members.blocked_id",
      "blocked_members.member_id",
      "bookings.buyer_id",
      "bookings.cancelled_by",
      // Exported as the deciding admin's activity.
      "complaints.decided_by",
      "conversation_members.member_id",
      "conversation_reports.reporter_id",
      "conversations.buyer_id",
      "credit_accounts.member_id",
      // Hashes of confirmation links.
      "email_confirmations.member_id",
      "images.member_id",
      "invitation_codes.member_id",
      // This and the next two: exported as the inviter's invitations, and as the friend's and the
      // admin's activity.
      "invitations.approved_by",
      "invitations.friend_id",
      "invitations.inviter_id",
      "meetings.proposed_by",
      // Keyed hashes that detect second accounts. The export contains only the number of hashes.
      "member_traces.member_id",
      // Exported as the verifying admin's activity.
      "members.verified_by",
      "message_inboxes.member_id",
      "messages.sender_id",
      "offers.buyer_id",
      "offers.seller_id",
      "payout_accounts.member_id",
      "payouts.member_id",
      "private_photos.member_id",
      "products.seller_id",
      // Not exported, because it is computed from messages.
      "reply_times.member_id",
      "reports.reporter_id",
      // This and the next four: exported as `reviewReports` and `reviewedDeals`.
      "review_reports.reporter_id",
      "review_windows.buyer_id",
      "review_windows.seller_id",
      "reviews.author_id",
      "reviews.subject_id",
      "saved_product_settings.member_id",
      "saved_searches.member_id",
      "settlements.seller_id",
      // Exported as the publishing admin's activity.
      "shop_settings.published_by",
      // Exported as the inviting owner's activity.
      "staff_invitations.invited_by",
    ]);
    expect(await listAccountReferences(shop.deps.db)).toEqual([
      "account.userId",
      "passkey.userId",
      "session.userId",
      "twoFactor.userId",
      // Recently used TOTP codes.
      "usedCode.userId",
    ]);
  });
});
