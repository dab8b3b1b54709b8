import { createHash, randomUUID } from "node:crypto";
import { issueHandoverCode } from "#contract/handover.ts";
import type { SalesStatus } from "#contract/life-cycle.ts";
import { insertSession, setPasswordHash } from "#server/adapters/identity/testing.ts";
import { newId } from "#server/db/ids.ts";
import { DealJournals } from "#server/features/ledger/deal-journals.ts";
import { postJournals } from "#server/features/ledger/post-journal.ts";
import { settleIntent } from "#server/features/money/webhook-events.ts";
import { indexListings } from "#server/features/search-index/index-listings.ts";
import { hashToken } from "#server/keyed-hash.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { insertLaptop } from "#server/testing/insert-laptop.ts";
import { goodLaptop, openPayment, paymentFor } from "#server/testing/marketplace.ts";
import type { Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { type Members, mobileOf, phoneOf } from "./actors.ts";
import { createOfferFixtures, createReviewFixtures } from "./deal-fixtures.ts";
import { createInvitationFixtures } from "./invitation-fixtures.ts";
import { createMessageFixtures } from "./message-fixtures.ts";

export type Fixtures = ReturnType<typeof createFixtures>;

const statuses = {
  held: "booked",
  paid: "sold",
  completed: "sold",
  cancelled: "available",
} as const;

export function createFixtures(shop: Shop, members: Members) {
  const { db } = shop.deps;
  const now = () => shop.clock.now();

  async function product(
    seller = members.seller[0],
    { sales_status = "available" as SalesStatus, advertise = false } = {},
  ) {
    const changes = { mobile_number: mobileOf(seller), sales_status, advertise };
    return await insertLaptop(shop, seller, changes);
  }

  async function password({ email }: Person) {
    const chosen = "Secret#2026";
    const { identity } = shop.deps;
    if (await identity.isPassword({ email, password: chosen, address: "127.0.0.1" })) return chosen;
    await setPasswordHash(db, email, await shop.passwords.hash(chosen));
    return chosen;
  }

  /** Creates a booking. Buyer 1 deals with seller 1, and buyer 2 with seller 2. */
  async function booking(party: Person, state: keyof typeof statuses = "held") {
    return (await bookingOf(party, state)).id;
  }

  function sidesOf(party: Person) {
    const which = Object.values(members).some(([, second]) => second === party) ? 1 : 0;
    const [buyer, seller] = [members.buyer[which], members.seller[which]];
    if (!buyer || !seller) throw new Error("nobody to make a deal with");
    return { buyer, seller };
  }

  const messages = createMessageFixtures(shop, { product, sidesOf });

  const invitations = createInvitationFixtures(shop);
  const offers = createOfferFixtures(shop, { product, sidesOf });
  const reviews = createReviewFixtures(shop, { deal, sidesOf });

  async function bookingOf(party: Person, state: keyof typeof statuses) {
    const { buyer, seller } = sidesOf(party);
    return { id: await deal(buyer, seller, state), buyer };
  }

  async function deal(buyer: Person, seller: Person, state: keyof typeof statuses) {
    const product_id = await product(seller, { sales_status: statuses[state] });
    const id = newId(now());
    const price_cents = goodLaptop.resale_price * 100;
    const held_until = new Date(now().getTime() + 3_600_000);
    const when = { booked_at: now(), held_until };
    const where = { phone: phoneOf(buyer), location: "Leeds station" };
    await db
      .insertInto("bookings")
      .values({ ...when, ...where, id, product_id, buyer_id: buyer.id, price_cents, state })
      .execute();
    return id;
  }

  /** Fills the lists with every buyer's and seller's objects. */
  async function everything() {
    const { buyer, seller } = members;
    for (const [one, other] of [[0, 1] as const, [1, 0] as const]) {
      const [here, there, theirs] = [buyer[one], seller[one], seller[other]];
      if (!here || !there || !theirs) throw new Error("nobody to make a deal with");
      const listed = await product(there, { advertise: true });
      await report(here, listed);
      await deal(here, there, "held");
      await paidBooking(here);
      await deal(here, theirs, "cancelled");
      await savedProduct(here, listed);
      await savedSearch(here);
      await messages.reportedConversation(here);
      await reviews.reportedReview(there);
      await reviews.reviewAbout(here);
      await offers.offer(here, "by");
      await invitations.invitation(here, "review");
    }
  }

  async function paidBooking(party = members.buyer[0]) {
    return (await bookingWithPayment(party, false)).booking;
  }

  async function handoverCode(party: Person) {
    const { id, buyer } = await bookingOf(party, "paid");
    const { code } = await buyer.call(issueHandoverCode, { body: { id } });
    return { id, code };
  }

  /** Creates a meeting whose place and time the other party has proposed. */
  async function meeting(party: Person, state: "proposed" | "agreed") {
    const { buyer, seller } = sidesOf(party);
    const [id, meeting_id] = [await paidBooking(party), newId(now())];
    const proposed_by = (party === buyer ? seller : buyer).id;
    const plan = { place: "Leeds station", time_zone: "Europe/London", proposed_at: now() };
    const starts_at = new Date(now().getTime() + 3_600_000);
    const answered_at = state === "agreed" ? now() : null;
    await db
      .insertInto("meetings")
      .values({
        ...plan,
        id: meeting_id,
        booking_id: id,
        proposed_by,
        starts_at,
        state,
        answered_at,
      })
      .execute();
    return { id, meeting: meeting_id };
  }

  async function failedRefund(party = members.buyer[0]) {
    return (await bookingWithPayment(party, true)).payment;
  }

  async function bookingWithPayment(party: Person, hasFailed: boolean) {
    const { id, buyer } = await bookingOf(party, "paid");
    const intent = `pi_${phoneOf(buyer)}_${randomUUID()}`;
    const amountCents = goodLaptop.resale_price * 100;
    const made = { booking: id, payment: newId(now()) };
    await db
      .insertInto("payments")
      .values({
        id: made.payment,
        transaction_id: intent,
        booking_id: id,
        amount_cents: amountCents,
        currency: "usd",
        goes_back: hasFailed,
        ...(hasFailed && { owed_since: now(), given_up_at: now() }),
        recorded_at: now(),
      })
      .execute();
    if (!hasFailed) return made;
    const journals = new DealJournals([]);
    journals.charge({ id: intent, amountCents });
    journals.decideRefund(id, amountCents);
    await postJournals(db, { bookingId: id, currency: "usd", at: now() }, journals.added());
    return made;
  }

  async function handedOver(party: Person, isClosed = false) {
    const id = await paidBooking(party);
    const { seller } = sidesOf(party);
    await db.updateTable("bookings").set({ state: "completed" }).where("id", "=", id).execute();
    const at = isClosed ? now() : null;
    await db
      .insertInto("settlements")
      .values({ booking_id: id, seller_id: seller.id, paid_at: now(), handed_over_at: now() })
      .execute();
    const closed = { decided_at: at, closed_at: at };
    await db.updateTable("settlements").set(closed).where("booking_id", "=", id).execute();
    return id;
  }

  /** Creates a closed deal that still holds $50. */
  async function leftover() {
    const bookingId = await handedOver(members.buyer[0], true);
    const journals = new DealJournals([]);
    journals.charge({ id: `pi_${bookingId}`, amountCents: 5_000 });
    await postJournals(db, { bookingId, currency: "usd", at: now() }, journals.added());
    return bookingId;
  }

  async function complaint(party = members.buyer[0]) {
    const booking_id = await handedOver(party);
    const words = `It doesn't start. Call me: ${phoneOf(sidesOf(party).buyer)}`;
    await db
      .insertInto("complaints")
      .values({ booking_id, reason: "not_working", words, opened_at: now() })
      .execute();
    return booking_id;
  }

  /** Creates what `party` can confirm receiving: a purchase for a buyer, a return for a seller. */
  async function toReceive(party: Person) {
    if (party === sidesOf(party).buyer) return await paidBooking(party);
    const id = await complaint(party);
    const decision = { decided_at: now(), refund_cents: 100, return_by: now() };
    await db.updateTable("complaints").set(decision).where("booking_id", "=", id).execute();
    return id;
  }

  /** Creates a held booking whose payment the provider has charged but the shop hasn't recorded. */
  async function paidAtProvider(buyer: Person) {
    const bookingId = await booking(buyer);
    const intent = await openPayment(buyer, bookingId);
    await cardsOf(shop).pay(intent);
    return paymentFor({ booking: bookingId, intent });
  }

  async function disputed(buyer = members.buyer[0]) {
    const id = await booking(buyer);
    const intent = await openPayment(buyer, id);
    await cardsOf(shop).pay(intent, "pm_card_createDisputeProductNotReceived");
    await settleIntent(shop.deps, intent);
    const dispute = await db
      .selectFrom("disputes")
      .innerJoin("payments", "payments.id", "disputes.payment_id")
      .select("disputes.id")
      .where("payments.booking_id", "=", id)
      .executeTakeFirstOrThrow();
    return { booking: id, dispute: dispute.id };
  }

  async function image(member: Person) {
    const sha256 = createHash("sha256").update(randomUUID()).digest("hex");
    await db
      .insertInto("images")
      .values({ id: newId(now()), member_id: member.id, sha256, bytes: 1, created_at: now() })
      .execute();
    return `/images/${sha256}.jpg`;
  }

  async function report(reporter: Person, productId: string) {
    const id = newId(now());
    const comment = `Not as described. Call me: ${phoneOf(reporter)}`;
    const written = { comment, reported_at: now() };
    await db
      .insertInto("reports")
      .values({ ...written, id, product_id: productId, reporter_id: reporter.id })
      .execute();
    return id;
  }

  async function flagged() {
    const product_id = await product();
    const flag = { product_id, reason: "price", evidence: "1/1", flagged_at: now() };
    await db.insertInto("listing_flags").values(flag).execute();
    return product_id;
  }

  async function savedProduct({ id: member_id }: Person, id?: string) {
    const product_id = id ?? (await product());
    const price = goodLaptop.resale_price * 100;
    const known = { saved_cents: price, known_cents: price, known_state: "available" };
    await db
      .insertInto("saved_product_settings")
      .values({ member_id, next_email_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto("saved_products")
      .values({ member_id, product_id, saved_at: now(), ...known })
      .execute();
    return product_id;
  }

  async function changedSavedProduct(member: Person) {
    const id = await savedProduct(member);
    await db.updateTable("products").set({ resale_cents: 100 }).where("id", "=", id).execute();
  }

  async function savedSearch({ id: member_id }: Person, saved_at = now()) {
    const id = newId(now());
    const asked = { search: `q=${id}`, label: id, frequency: "instant", version: 1 };
    const matching = { min_cents: 0, max_cents: 100_000_000, anchors: ["thinkpad"] };
    await db
      .insertInto("saved_searches")
      .values({ id, member_id, ...asked, ...matching, saved_at, next_email_at: now() })
      .execute();
    return id;
  }

  async function matchedSearch(member: Person) {
    await savedSearch(member, new Date(0));
    await indexListings(db, [await product()]);
  }

  async function session({ id: userId }: Person) {
    return (await insertSession(db, userId)).id;
  }

  async function unconfirmed({ id }: Person) {
    await db.deleteFrom("email_confirmations").where("member_id", "=", id).execute();
    await db.updateTable("members").set({ confirmed_at: null }).where("id", "=", id).execute();
  }

  async function confirmationToken({ id: member_id }: Person) {
    const token = randomUUID();
    const token_hash = hashToken(token);
    const created_at = new Date();
    const expires_at = new Date(Date.now() + 3_600_000);
    const link = { token_hash, member_id, created_at, expires_at };
    await db.insertInto("email_confirmations").values(link).execute();
    return token;
  }

  return {
    shop,
    members,
    password,
    product,
    booking,
    everything,
    paidBooking,
    handedOver,
    leftover,
    complaint,
    toReceive,
    handoverCode,
    meeting,
    failedRefund,
    paidAtProvider,
    disputed,
    image,
    report,
    flagged,
    session,
    savedProduct,
    changedSavedProduct,
    savedSearch,
    matchedSearch,
    ...messages,
    ...reviews,
    ...offers,
    ...invitations,
    unconfirmed,
    confirmationToken,
  };
}
