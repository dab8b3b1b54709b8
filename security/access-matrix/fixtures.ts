import { createHash, randomUUID } from "node:crypto";
import type { SalesStatus } from "#contract/life-cycle.ts";
import { insertSession, setPasswordHash } from "#server/adapters/identity/testing.ts";
import { newId } from "#server/db/ids.ts";
import { cardsOf } from "#server/testing/cards.ts";
import { insertProduct } from "#server/testing/insert-product.ts";
import { goodLaptop, openPayment, paymentFor } from "#server/testing/marketplace.ts";
import type { Person } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import type { Members } from "./actors.ts";

/** Creates objects that belong to the members. */
export type Fixtures = ReturnType<typeof createFixtures>;

const statuses = { held: "booked", paid: "sold", cancelled: "available" } as const;

/** The phone number in a seller's listings, unique to them. */
export function mobileOf({ id }: Person): string {
  return `555${Number.parseInt(id.slice(-8), 16)}`;
}

/** The phone number in a buyer's bookings, reports and payments, unique to them. */
export function phoneOf({ id }: Person): string {
  return `777${Number.parseInt(id.slice(-8), 16)}`;
}

export function createFixtures(shop: Shop, members: Members) {
  const { db } = shop.deps;
  const now = () => shop.clock.now();

  async function product(
    seller: Person,
    { sales_status = "available" as SalesStatus, advertise = false } = {},
  ) {
    const changes = {
      seller_id: seller.id,
      mobile_number: mobileOf(seller),
      sales_status,
      advertise,
    };
    return await insertProduct(db, now(), changes);
  }

  /** Gives a member a password. */
  async function password({ email }: Person) {
    const chosen = "Secret#2026";
    const { identity } = shop.deps;
    if (await identity.isPassword({ email, password: chosen, address: "127.0.0.1" })) return chosen;
    await setPasswordHash(db, email, await shop.passwords.hash(chosen));
    return chosen;
  }

  /** The first buyer books from the first seller, the second from the second. */
  async function booking(party: Person, state: keyof typeof statuses = "held") {
    return (await bookingOf(party, state)).id;
  }

  async function bookingOf(party: Person, state: keyof typeof statuses) {
    const which = Object.values(members).some(([, second]) => second === party) ? 1 : 0;
    const [buyer, seller] = [members.buyer[which], members.seller[which]];
    if (!buyer || !seller) throw new Error("nobody to make a deal with");
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

  /** Objects of everybody for the lists: for sale, reported, held, paid and cancelled. */
  async function everything() {
    const { buyer, seller } = members;
    for (const [one, other] of [[0, 1] as const, [1, 0] as const]) {
      const [here, there, theirs] = [buyer[one], seller[one], seller[other]];
      if (!here || !there || !theirs) throw new Error("nobody to make a deal with");
      await report(here, await product(there, { advertise: true }));
      await deal(here, there, "held");
      await paidBooking(here);
      await deal(here, theirs, "cancelled");
    }
  }

  async function paidBooking(party: Person) {
    return await bookingWithPayment(party, "succeeded");
  }

  /** A booking whose refund the bank sent back too often. */
  async function failedRefund(party: Person) {
    return await bookingWithPayment(party, "refund_failed");
  }

  async function bookingWithPayment(party: Person, state: "succeeded" | "refund_failed") {
    const { id, buyer } = await bookingOf(party, "paid");
    await db
      .insertInto("payments")
      .values({
        id: newId(now()),
        transaction_id: `pi_${phoneOf(buyer)}_${randomUUID()}`,
        booking_id: id,
        amount_cents: goodLaptop.resale_price * 100,
        currency: "usd",
        state,
        recorded_by: "webhook",
        recorded_at: now(),
      })
      .execute();
    return id;
  }

  /** A held booking, charged at the provider and not recorded here. */
  async function paidAtProvider(buyer: Person) {
    const bookingId = await booking(buyer);
    const intent = await openPayment(buyer, bookingId);
    await cardsOf(shop).pay(intent);
    return paymentFor({ booking: bookingId, intent });
  }

  async function image(member: Person) {
    const sha256 = createHash("sha256").update(randomUUID()).digest("hex");
    const size = { width: 256, height: 256, bytes: 1 };
    await db
      .insertInto("images")
      .values({ ...size, id: newId(now()), member_id: member.id, sha256, created_at: now() })
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

  async function session({ id: userId }: Person) {
    return (await insertSession(db, userId)).id;
  }

  async function unconfirmed({ id }: Person) {
    await db.deleteFrom("email_confirmations").where("member_id", "=", id).execute();
    await db.updateTable("members").set({ confirmed_at: null }).where("id", "=", id).execute();
  }

  async function confirmationToken({ id: member_id }: Person) {
    const token = randomUUID();
    const token_hash = createHash("sha256").update(token).digest("hex");
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
    failedRefund,
    paidAtProvider,
    image,
    report,
    session,
    unconfirmed,
    confirmationToken,
  };
}
