import { type SqlBool, sql } from "kysely";
import { formatPrice, toDollars } from "#contract/price.ts";
import { hasAddress } from "#contract/text.ts";
import { type Tx, transact } from "../../db/database.ts";
import { forEachId } from "../../db/pagination.ts";
import type { Deps } from "../../deps.ts";
import { addressedTo, type EmailMessage } from "../../email/email.ts";
import { nameFirst, nameOf } from "../../email/email-phrases.ts";
import { unsubscribeLink } from "../../email/opt-outs.ts";
import { documentVersion } from "../search-index/listing-document.ts";
import { compileOrStop } from "./compile-search.ts";

const batchSize = 200;
const minuteMs = 60_000;

/** The pause after an email about a search. */
const pauseMs = { instant: 10 * minuteMs, daily: 24 * 60 * minuteMs, never: 0 };
/**
 * Listings older than this are not matched, even if edited, because the record that they were
 * emailed may be gone.
 */
const newDays = 30;
/** Delay before retrying an email that couldn't be queued. */
const retryMs = 60 * minuteMs;

/**
 * Job `mailSavedSearches`, every minute. No match is emailed twice, because the transaction that
 * queues the email marks the match (decisions/saved).
 */
export async function mailSavedSearches(deps: Deps): Promise<void> {
  try {
    await compileStale(deps);
  } finally {
    for (let taken = batchSize; taken === batchSize; ) taken = await matchNewListings(deps);
    await forEachId(selectDue(deps), "id", (id) => mailSearch(deps, id));
  }
}

/**
 * Recompiles searches of older versions, and once a day also searches with words that may be typos.
 */
async function compileStale({ db, clock }: Deps): Promise<void> {
  const at = clock.now();
  const stale = db.selectFrom("saved_searches").where(isStale(at));
  await forEachId(stale, "id", (id) => compileAgain(db, id, at));
}

const isStale = (at: Date) =>
  sql<SqlBool>`(version < ${documentVersion} or compile_again_at <= ${at})`;

async function compileAgain(db: Deps["db"], id: string, at: Date): Promise<void> {
  await transact(db, `compileSavedSearches ${id}`, async (tx) => {
    const stale = await tx
      .selectFrom("saved_searches")
      .select("search")
      .where("id", "=", id)
      .where(isStale(at))
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!stale) return;
    const columns = await compileOrStop(tx, stale.search, at);
    await tx.updateTable("saved_searches").set(columns).where("id", "=", id).execute();
  });
}

const isMatch = sql<SqlBool>`((s.query is null or d.tokens @@ s.query)
  and d.price_cents between s.min_cents and s.max_cents
  and (s.min_battery is null or coalesce(d.battery >= s.min_battery, false)))`;

/**
 * Matches queued listings with the saved searches that share a token. Returns the number of queue
 * rows taken.
 */
async function matchNewListings({ db, clock }: Deps): Promise<number> {
  return await transact(db, "matchSavedSearches", async (tx) => {
    const { rows } = await sql<{ product_id: string }>`
      delete from newly_listed where id in (
        select id from newly_listed order by id limit ${sql.lit(batchSize)} for update skip locked
      ) returning product_id`.execute(tx);
    if (rows.length === 0) return 0;
    const oldest = new Date(clock.now().getTime() - newDays * 24 * 60 * minuteMs);
    const ids = [...new Set(rows.map(({ product_id }) => product_id))];
    await sql`
      insert into saved_search_matches (search_id, product_id, matched_at)
      select s.id, d.product_id, ${clock.now()}
      from search_documents d join products p on p.id = d.product_id
      join saved_searches s on s.anchors && search_anchors(d.tokens)
      where d.product_id = any(${ids}::uuid[]) and d.listed
        and s.frequency <> 'never' and d.posted_at > s.saved_at and d.posted_at > ${oldest} and p.seller_id <> s.member_id
        and ${isMatch}
      on conflict do nothing`.execute(tx);
    return rows.length;
  });
}

function selectDue({ db, clock }: Deps) {
  return db
    .selectFrom("saved_searches")
    .where("frequency", "<>", "never")
    .where("next_email_at", "<=", clock.now())
    .where(
      "id",
      "in",
      db
        .selectFrom("saved_search_matches")
        .select("search_id")
        .where(sql<SqlBool>`mailed_at is null`),
    );
}

async function mailSearch(deps: Deps, searchId: string): Promise<void> {
  const at = deps.clock.now();
  await transact(deps.db, `mailSavedSearches ${searchId}`, async (tx) => {
    const search = await lockDue(tx, searchId, at);
    if (!search) return;
    await dropOutdated(tx, searchId);
    const laptops = await listWaiting(tx, searchId);
    if (laptops.length === 0) return;
    const unsubscribeUrl = await unsubscribeLink(deps, { topic: "saved-search", id: searchId });
    const url = `${deps.config.publicUrl}/search?${search.search}`;
    const email = savedSearchEmail({ label: search.label, laptops, url, unsubscribeUrl });
    const addressed = { ...addressedTo(search), ...email };
    const isQueued = await deps.emailQueue.add(tx, { kind: "alert", ...addressed });
    const ids = laptops.map(({ product_id }) => product_id);
    if (isQueued) await markMailed(tx, searchId, { ids, at });
    const pause = isQueued ? pauseMs[search.frequency as keyof typeof pauseMs] : retryMs;
    await tx
      .updateTable("saved_searches")
      .set({ next_email_at: new Date(at.getTime() + pause) })
      .where("id", "=", searchId)
      .execute();
  });
}

async function lockDue(tx: Tx, searchId: string, at: Date) {
  return await tx
    .selectFrom("saved_searches as s")
    .innerJoin("members", "members.id", "s.member_id")
    .select(["s.search", "s.label", "s.frequency", "members.name", "members.email"])
    .where("s.id", "=", searchId)
    .where("s.frequency", "<>", "never")
    .where("s.next_email_at", "<=", at)
    .where("members.deleted_at", "is", null)
    .where("members.suspended_at", "is", null)
    .forUpdate("s")
    .skipLocked()
    .executeTakeFirst();
}

/**
 * Deletes unmailed matches that no longer hold. After another edit, such a laptop can match again.
 */
async function dropOutdated(tx: Tx, searchId: string): Promise<void> {
  await sql`
    delete from saved_search_matches m using saved_searches s, search_documents d
    where m.search_id = ${searchId} and m.mailed_at is null
      and s.id = m.search_id and d.product_id = m.product_id
      and (not d.listed or d.version >= s.version and not ${isMatch})`.execute(tx);
}

async function listWaiting(tx: Tx, searchId: string) {
  return await tx
    .selectFrom("saved_search_matches as m")
    .innerJoin("saved_searches as s", "s.id", "m.search_id")
    .innerJoin("search_documents as d", "d.product_id", "m.product_id")
    .innerJoin("products as p", "p.id", "m.product_id")
    .select(["m.product_id", "p.product_name as name", "p.resale_cents as cents"])
    .where("m.search_id", "=", searchId)
    .where("m.mailed_at", "is", null)
    .where("d.listed", "=", true)
    .whereRef("d.version", ">=", "s.version")
    .where(isMatch)
    .orderBy("p.posted_at", "desc")
    .limit(1_000)
    .execute();
}

async function markMailed(
  tx: Tx,
  searchId: string,
  { ids, at }: { ids: string[]; at: Date },
): Promise<void> {
  await tx
    .updateTable("saved_search_matches")
    .set({ mailed_at: at })
    .where("search_id", "=", searchId)
    .where("product_id", "in", ids)
    .execute();
}

type FoundLaptop = { name: string; cents: number };
type Found = { label: string; laptops: FoundLaptop[]; url: string; unsubscribeUrl: string };

export function savedSearchEmail({ label, laptops, url, unsubscribeUrl }: Found): EmailMessage {
  const count = laptops.length === 1 ? "1 new laptop" : `${laptops.length} new laptops`;
  const about = hasAddress(label) ? "your saved search" : `“${label}”`;
  const lines = nameFirst(
    laptops.map((laptop) => `${nameOf(laptop.name)} for ${formatPrice(toDollars(laptop.cents))}`),
  );
  return {
    name: "saved-search-matched",
    values: { laptops: count },
    paragraphs: [`${count} for ${about}:`, ...lines],
    action: { label: "View results", url },
    actionAfter: 1 + lines.length,
    unsubscribeUrl,
    unsubscribeLabel: "Stop emails about this search",
  };
}
