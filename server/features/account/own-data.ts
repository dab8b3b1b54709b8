import { sql } from "kysely";
import type { MemberData } from "#contract/account.ts";
import { toDollars } from "#contract/money.ts";
import { recordAudit } from "../../db/audit-log.ts";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { listBookings } from "../bookings/list-bookings.ts";
import { selectProducts, toProductWithContact } from "../products/product-rows.ts";
import { type InSession, listSessions } from "./sessions.ts";

/** Far more than anybody has: here nothing is read in pages. */
const everything = { limit: 100_000 };

/** Everything held about a member; that it was asked for is written down. */
export async function readOwnData(deps: Deps, who: InSession): Promise<MemberData> {
  const at = deps.clock.now();
  const { id, email } = who.member;
  return await transact(deps.db, "readOwnData", async (tx) => {
    const data = {
      writtenAt: at.toISOString(),
      member: await readMember(tx, id),
      signInMethods: await readSignInMethods(tx, email),
      sessions: await readSessions(tx, who),
      products: await readProducts(tx, id),
      bookings: (await listBookings({ db: tx, clock: deps.clock }, email, everything)).items,
      payments: await readPayments(tx, id),
      reports: await readReports(tx, id),
      photos: await readPhotos(tx, id, deps.config.publicUrl),
      activity: await readActivity(tx, id),
    };
    await recordAudit(tx, { at, actor: id, verb: "read own data", object: "member", objectId: id });
    return data;
  });
}

async function readMember(tx: Tx, id: string): Promise<MemberData["member"]> {
  const member = await tx
    .selectFrom("members")
    .select(["id as _id", "name", "email", "account_type as accountType", "verify"])
    .select(["photo as photoURL", "created_at", "confirmed_at", "suspended_at"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { created_at, confirmed_at, suspended_at, ...rest } = member;
  const confirmedAt = confirmed_at?.toISOString() ?? null;
  const suspended = suspended_at !== null;
  return { ...rest, suspended, joinedAt: created_at.toISOString(), confirmedAt };
}

async function readSignInMethods(tx: Tx, email: string) {
  const rows = await tx
    .selectFrom("identity.account")
    .innerJoin("identity.user as user", "user.id", "identity.account.userId")
    .select(["providerId as method", "identity.account.createdAt"])
    .where("user.email", "=", email)
    .unionAll(
      tx
        .selectFrom("identity.twoFactor as app")
        .innerJoin("identity.user as user", "user.id", "app.userId")
        .select([sql<string>`'authenticator app'`.as("method"), "app.createdAt"])
        .where("user.email", "=", email)
        .where("verified", "=", true),
    )
    .unionAll(
      tx
        .selectFrom("identity.passkey")
        .innerJoin("identity.user as user", "user.id", "identity.passkey.userId")
        .select([
          sql<string>`'passkey ' || passkey.name`.as("method"),
          "identity.passkey.createdAt",
        ])
        .where("user.email", "=", email),
    )
    .execute();
  return rows.map(({ method, createdAt }) => ({
    method: method === "credential" ? "password" : method,
    since: createdAt.toISOString(),
  }));
}

async function readSessions(tx: Tx, who: InSession): Promise<MemberData["sessions"]> {
  const sessions = await listSessions(tx, who, everything);
  const ids = sessions.map(({ _id }) => _id);
  const rows = await tx
    .selectFrom("identity.session")
    .select(["id", "ipAddress"])
    .where("id", "in", ids)
    .execute();
  const addresses = new Map(rows.map(({ id, ipAddress }) => [id, ipAddress]));
  return sessions.map((one) => ({ ...one, address: addresses.get(one._id) || null }));
}

async function readProducts(tx: Tx, sellerId: string) {
  const products = selectProducts(tx).where("products.seller_id", "=", sellerId);
  return (await products.orderBy("products.posted_at").execute()).map(toProductWithContact);
}

async function readPayments(tx: Tx, buyerId: string): Promise<MemberData["payments"]> {
  const rows = await tx
    .selectFrom("payments")
    .innerJoin("bookings", "bookings.id", "payments.booking_id")
    .selectAll("payments")
    .where("bookings.buyer_id", "=", buyerId)
    .orderBy("recorded_at")
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    bookingId: row.booking_id,
    transactionId: row.transaction_id,
    price: toDollars(row.amount_cents),
    currency: row.currency,
    state: row.state,
    recordedAt: row.recorded_at.toISOString(),
  }));
}

async function readReports(tx: Tx, reporterId: string): Promise<MemberData["reports"]> {
  const rows = await tx
    .selectFrom("reports")
    .innerJoin("products", "products.id", "reports.product_id")
    .select(["product_name", "comment", "reported_at", "closed_at"])
    .where("reporter_id", "=", reporterId)
    .orderBy("reported_at")
    .execute();
  return rows.map(({ product_name, comment, reported_at, closed_at }) => ({
    product_name,
    comment,
    reportedAt: reported_at.toISOString(),
    closed: closed_at !== null,
  }));
}

async function readPhotos(tx: Tx, memberId: string, publicUrl: string) {
  const rows = await tx
    .selectFrom("images")
    .select(["sha256", "bytes", "created_at"])
    .where("member_id", "=", memberId)
    .orderBy("created_at")
    .execute();
  return rows.map(({ sha256, bytes, created_at }) => ({
    url: `${publicUrl}/images/${sha256}.jpg`,
    size: bytes,
    uploadedAt: created_at.toISOString(),
  }));
}

async function readActivity(tx: Tx, actorId: string): Promise<MemberData["activity"]> {
  const rows = await tx
    .selectFrom("audit_log")
    .select(["at", "verb", "object", "object_id as objectId"])
    .where("actor_id", "=", actorId)
    .orderBy("id")
    .execute();
  return rows.map(({ at, ...rest }) => ({ at: at.toISOString(), ...rest }));
}
