import { type SqlBool, sql } from "kysely";
import { formatPrice, toDollars } from "#contract/price.ts";
import { type Tx, transact } from "../../db/database.ts";
import { forEachId } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { nameFirst, nameOf } from "../../email/email-phrases.ts";
import { hasStopped, unsubscribeLink } from "../../email/opt-outs.ts";
import { boughtColumn, shownNameColumn, stateColumn } from "./saved-products.ts";

const batchSize = 500;
const dayMs = 24 * 3_600_000;
/** Delay before retrying an email that couldn't be queued. */
const retryMs = 3_600_000;

/**
 * Job `mailSavedProducts`, every minute. Sends a member at most one email a day. No change is
 * emailed twice, because the transaction that queues the email stores the emailed price and state
 * (decisions/saved).
 */
export async function mailSavedProducts(deps: Deps): Promise<void> {
  for (let taken = batchSize; taken === batchSize; ) taken = await markChanged(deps);
  await forEachId(selectDue(deps), "settings.member_id", (id) => mailMember(deps, id));
}

async function markChanged({ db }: Deps): Promise<number> {
  return await transact(db, "markSavedProducts", async (tx) => {
    const { rows } = await sql<{ product_id: string }>`
      delete from saved_product_changes where id in (
        select id from saved_product_changes order by id limit ${sql.lit(batchSize)} for update skip locked
      ) returning product_id`.execute(tx);
    if (rows.length === 0) return 0;
    await tx
      .updateTable("saved_products")
      .set({ changed: true })
      .where("product_id", "in", [...new Set(rows.map(({ product_id }) => product_id))])
      .where("changed", "=", false)
      .execute();
    return rows.length;
  });
}

const wantsNews = sql<boolean>`not ${hasStopped("saved-laptops", sql.ref("settings.member_id"))}`;

function selectDue({ db, clock }: Deps) {
  return db
    .selectFrom("saved_product_settings as settings")
    .where(
      "settings.member_id",
      "in",
      db.selectFrom("saved_products").select("member_id").where(sql<SqlBool>`changed`),
    )
    .where(wantsNews)
    .where("settings.next_email_at", "<=", clock.now());
}

async function mailMember(deps: Deps, memberId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `mailSavedProducts ${memberId}`, async (tx) => {
    const member = await lockDue(tx, memberId, at);
    if (!member) return;
    const changed = await readChanged(tx, memberId);
    const news = changed.flatMap(newsOf);
    if (news.length === 0) return await remember(tx, memberId, changed);
    const unsubscribeUrl = await unsubscribeLink(deps, { topic: "saved-laptops", id: memberId });
    const url = `${deps.config.publicUrl}/dashboard/saved`;
    const email = { ...addressedTo(member), ...savedProductsEmail({ news, url, unsubscribeUrl }) };
    const isQueued = await deps.emailQueue.add(tx, { kind: "alert", ...email });
    if (isQueued) await remember(tx, memberId, changed);
    await tx
      .updateTable("saved_product_settings")
      .set({ next_email_at: new Date(at.getTime() + (isQueued ? dayMs : retryMs)) })
      .where("member_id", "=", memberId)
      .execute();
  });
}

async function lockDue(tx: Tx, memberId: string, at: Date) {
  return await tx
    .selectFrom("saved_product_settings as settings")
    .innerJoin("members", "members.id", "settings.member_id")
    .select(["members.name", "members.email"])
    .where("settings.member_id", "=", memberId)
    .where(wantsNews)
    .where("settings.next_email_at", "<=", at)
    .where("members.deleted_at", "is", null)
    .where("members.suspended_at", "is", null)
    .forUpdate("settings")
    .skipLocked()
    .executeTakeFirst();
}

async function readChanged(tx: Tx, memberId: string) {
  return await tx
    .selectFrom("saved_products as saved")
    .innerJoin("products", "products.id", "saved.product_id")
    .innerJoin("members as seller", "seller.id", "products.seller_id")
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("bookings")
          .select("buyer_id")
          .whereRef("bookings.product_id", "=", "products.id")
          .orderBy("booked_at", "desc")
          .limit(1)
          .as("last_booking"),
      (join) => join.onTrue(),
    )
    .select(["saved.product_id", "products.resale_cents"])
    .select(
      sql<boolean>`last_booking.buyer_id is not distinct from saved.member_id`.as("is_own_deal"),
    )
    .select(boughtColumn(memberId).as("bought"))
    .select([shownNameColumn.as("name"), stateColumn.as("state")])
    .select(["saved.known_cents", "saved.known_state"])
    .where("saved.member_id", "=", memberId)
    .where("saved.changed", "=", true)
    .orderBy("saved.saved_at", "desc")
    .forUpdate("saved")
    .execute();
}

type Changed = Awaited<ReturnType<typeof readChanged>>[number];

/** The end of a hold is news, but its start isn't. Buyers get no news about their own deals. */
function newsOf(changed: Changed): SavedProductNews[] {
  const { name, resale_cents, known_cents, state, known_state } = changed;
  if (state === "booked" || changed.bought) return [];
  const prices = { cents: resale_cents, knownCents: known_cents };
  const isOwnDeal = changed.is_own_deal && state !== "removed";
  if (state !== known_state && !isOwnDeal)
    return [{ name, what: state === "available" ? "back" : state, ...prices }];
  if (state === "available" && resale_cents < known_cents)
    return [{ name, what: "cheaper", ...prices }];
  return [];
}

/**
 * Stores the state and price. `known_cents` rises only with `back`, the only news that can name a
 * higher price.
 */
async function remember(tx: Tx, memberId: string, changed: Changed[]): Promise<void> {
  const known = changed.map((one) => {
    const { product_id, resale_cents, state } = one;
    const isBack = newsOf(one).some(({ what }) => what === "back");
    const known_cents = isBack ? resale_cents : Math.min(one.known_cents, resale_cents);
    return { product_id, known_cents, known_state: state };
  });
  await sql`
    update saved_products saved
    set changed = false, known_cents = known.known_cents, known_state = known.known_state
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
      as known (product_id uuid, known_cents integer, known_state text)
    where saved.member_id = ${memberId} and saved.product_id = known.product_id`.execute(tx);
}

type SavedProductNews = {
  /** Null if the name must not be shown. */
  name: string | null;
  what: "cheaper" | "back" | "sold" | "removed";
  cents: number;
  knownCents: number;
};

type News = { news: SavedProductNews[]; url: string; unsubscribeUrl: string };

export function savedProductsEmail({ news, url, unsubscribeUrl }: News): EmailMessage {
  const lines = nameFirst(news.map(lineOf));
  return {
    name: "saved-laptops-changed",
    values: { laptops: news.length === 1 ? "a laptop" : "laptops" },
    paragraphs: lines,
    action: { label: "View saved laptops", url },
    actionAfter: lines.length,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about saved laptops",
  };
}

function lineOf({ name, what, cents, knownCents }: SavedProductNews): string {
  const laptop = nameOf(name);
  const price = formatPrice(toDollars(cents));
  if (what === "sold") return `${laptop} has been sold.`;
  if (what === "removed") return `${laptop} is no longer for sale.`;
  if (what === "back") return `${laptop} is back on sale for ${price}.`;
  return `${laptop} is now ${price}. It was ${formatPrice(toDollars(knownCents))}.`;
}
