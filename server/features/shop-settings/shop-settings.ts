import { isDeepStrictEqual } from "node:util";
import { type RawBuilder, sql } from "kysely";
import { newOfferState } from "#contract/life-cycle.ts";
import { offerHours } from "#contract/offers.ts";
import { operatorLines } from "#contract/shop.ts";
import { defaultSettings, type ShopSettings } from "#contract/shop-settings.ts";
import { storedSettings } from "../../current-shop.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";

/** Older versions stay in the database. */
const shownVersions = 50;

const draftRevision = sql<string>`md5(shop_settings.settings::text)`;

export async function readShopSettings(tx: Tx) {
  const published = await readVersion(tx);
  const draft = await tx
    .selectFrom("shop_settings")
    .select(["settings", draftRevision.as("revision")])
    .where("number", "is", null)
    .executeTakeFirst();
  const versions = await tx
    .selectFrom("shop_settings as version")
    .leftJoin("members as author", "author.id", "version.published_by")
    .select(["version.id", "version.saved_at", "version.changed", "author.name"])
    .where("version.number", "is not", null)
    .orderBy("version.number", "desc")
    .limit(shownVersions)
    .execute();
  return {
    ...published,
    draft: draft ? storedSettings(draft.settings) : null,
    draftRevision: draft?.revision ?? null,
    isCurrencyFixed: await hasBookings(tx),
    versions: versions.map(({ id, saved_at, changed, name }) => ({
      _id: id,
      publishedAt: saved_at.toISOString(),
      publishedBy: name ?? "The operator",
      changed,
    })),
  };
}

/** Reads the settings in force at `at`, or else now. `number` is 0 if none were published yet. */
async function readVersion(
  tx: Tx,
  at?: Date,
): Promise<{ published: ShopSettings; number: number }> {
  const row = await tx
    .selectFrom("shop_settings")
    .select(["settings", "number"])
    .where("number", "is not", null)
    .$if(at !== undefined, (query) => query.where("saved_at", "<=", sql<Date>`${at}`))
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return {
    published: row ? storedSettings(row.settings) : defaultSettings,
    number: row?.number ?? 0,
  };
}

/** Returns the shop's name and operator as of the payment, or an empty list if unpaid. */
export async function readReceiptIssuer(tx: Tx, paidAt: string | null): Promise<string[]> {
  if (paidAt === null) return [];
  const { name, operator } = (await readVersion(tx, new Date(paidAt))).published;
  return [name, ...operatorLines(operator)];
}

/** Returns undefined if the draft has been published or discarded. */
export async function readDraft(tx: Tx, id: string): Promise<ShopSettings | undefined> {
  const row = await tx
    .selectFrom("shop_settings")
    .select("settings")
    .where("id", "=", id)
    .where("number", "is", null)
    .executeTakeFirst();
  return row && storedSettings(row.settings);
}

type Draft = { settings: ShopSettings; basedOn: number; over: string | null };

/**
 * Replaces the draft that the owner saw. Throws `STALE` if the owner hasn't seen the newest version
 * and draft. The draft keeps its id until it is published or discarded.
 */
export async function saveDraft(
  { db, clock }: Deps,
  { basedOn, over, ...draft }: Draft,
): Promise<{ insertedId: string; draftRevision: string }> {
  const saved_at = clock.now();
  const settings = JSON.stringify(draft.settings);
  return await transact(db, "saveShopDraft", async (tx) => {
    await lockSettings(tx);
    await requireNewest(tx, { basedOn, over });
    return await tx
      .insertInto("shop_settings")
      .values({ id: newId(saved_at), settings, saved_at })
      .onConflict((draftExists) =>
        draftExists
          .expression(sql`(true)`)
          .where("number", "is", null)
          .doUpdateSet({ settings, saved_at }),
      )
      .returning(["id as insertedId", draftRevision.as("draftRevision")])
      .executeTakeFirstOrThrow();
  });
}

/** Serializes changes to the settings. Readers don't wait. */
async function lockSettings(tx: Tx): Promise<void> {
  await sql`lock table shop_settings in share row exclusive mode`.execute(tx);
}

/** `over`: the draft's revision; null for none; undefined for the operator, who sees no draft. */
type Seen = { basedOn: number; over?: string | null | undefined };

async function requireNewest(tx: Tx, { basedOn, over }: Seen): Promise<void> {
  const newest = await readShopSettings(tx);
  const what =
    newest.number !== basedOn
      ? "published other settings"
      : over !== undefined && newest.draftRevision !== over && "saved another draft";
  if (what)
    throw new AppError(
      "STALE",
      `Somebody has ${what}. Download your settings as a file, load the page again, and then make your changes.`,
    );
}

export async function discardDraft({ db }: Deps): Promise<void> {
  await transact(db, "discardShopDraft", deleteDraft);
}

async function deleteDraft(tx: Tx): Promise<void> {
  await tx.deleteFrom("shop_settings").where("number", "is", null).execute();
}

/** `actor` is null for the operator, who uses `npm run setup`. */
type Publication = { actor: string | null; settings: ShopSettings };

/**
 * Publishes settings and deletes the draft. Throws `CURRENCY_FIXED`, and `STALE` like `saveDraft`.
 */
export async function publishSettings(
  deps: Pick<Deps, "db" | "clock">,
  { actor, settings, ...seen }: Publication & Seen,
): Promise<void> {
  await transact(deps.db, "publishShopSettings", async (tx) => {
    await lockSettings(tx);
    await requireNewest(tx, seen);
    await insertVersion(tx, deps, { actor, settings, verb: "publish" });
  });
}

/**
 * Restores a version; null restores the built-in settings, except `currency` and `closed`. Deletes
 * the draft, because publishing it would undo the restoration. Throws `CURRENCY_FIXED` or
 * `NOT_FOUND`.
 */
export async function restoreVersion(
  deps: Deps,
  { actor, version }: { actor: string; version: string | null },
): Promise<void> {
  await transact(deps.db, "restoreShopVersion", async (tx) => {
    await lockSettings(tx);
    const { currency, closed } = (await readVersion(tx)).published;
    const builtIn = { ...defaultSettings, currency, closed };
    const settings = version ? await readSettings(tx, version) : builtIn;
    await insertVersion(tx, deps, { actor, settings, verb: "restore" });
  });
}

async function readSettings(tx: Tx, version: string): Promise<ShopSettings> {
  const row = await tx
    .selectFrom("shop_settings")
    .select("settings")
    .where("id", "=", version)
    .where("number", "is not", null)
    .executeTakeFirstOrThrow(orNotFound("There is no such version."));
  return storedSettings(row.settings);
}

/** Publishes a version and deletes the draft. The caller must have locked the settings. */
async function insertVersion(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  { actor, settings, verb }: Publication & { verb: "publish" | "restore" },
): Promise<void> {
  const at = clock.now();
  const objectId = newId(at);
  const { published, number } = await readVersion(tx);
  const changed = differences(published, settings);
  if (changed.includes("currency")) await requireNoPriceAgreed(tx, published);
  const version = { settings: JSON.stringify(settings), changed, published_by: actor };
  await tx
    .insertInto("shop_settings")
    .values({ id: objectId, number: number + 1, saved_at: at, ...version })
    .execute();
  await deleteDraft(tx);
  const detail = { changed: changed.join(", ") };
  await recordAudit(tx, { at, actor, verb, object: "shop", objectId, detail });
}

/**
 * Throws `CURRENCY_FIXED` if a laptop was booked or an offer is open, because prices are stored
 * without a currency. Waits for bookings and offers in progress.
 */
async function requireNoPriceAgreed(tx: Tx, { currency }: ShopSettings): Promise<void> {
  await sql`lock table bookings, offers in share mode`.execute(tx);
  if (await hasBookings(tx))
    throw new AppError(
      "CURRENCY_FIXED",
      `Nothing was published, because laptops have been booked at prices in ${currency}. Choose that currency again under Money.`,
    );
  const open = await tx
    .selectFrom("offers")
    .select(({ fn }) => fn.countAll<string>().as("offers"))
    .where("state", "=", newOfferState)
    .executeTakeFirstOrThrow();
  if (open.offers !== "0")
    throw new AppError(
      "CURRENCY_FIXED",
      `Nothing was published, because offers in ${currency} are open (${open.offers}). Close the shop, so that nobody makes another one, and wait until they have ended, within ${offerHours} hours. Then change the currency.`,
    );
}

async function hasBookings(tx: Tx): Promise<boolean> {
  const first = tx.selectFrom("bookings").select("id").orderBy("id").limit(1);
  return (await first.executeTakeFirst()) !== undefined;
}

/**
 * SQL: currency changes that this node hasn't loaded yet. An insert of a booking waits for a
 * change under way (`requireNoPriceAgreed`), and then sees the new version.
 */
export function unknownCurrencies({ version }: Deps["shop"]): RawBuilder<{ id: string }> {
  return sql`select id from shop_settings where number > ${version} and 'currency' = any(changed)`;
}

/** Throws `PRICE_CHANGED` if `unknownCurrencies` selected any versions. */
export function requireKnownCurrency(unknown: { id: string }[]): void {
  if (unknown.length > 0)
    throw new AppError(
      "PRICE_CHANGED",
      "The shop has just changed its currency. Load the page again to see the price.",
    );
}

export function differences(before: ShopSettings, after: ShopSettings): string[] {
  const names = Object.keys(after) as (keyof ShopSettings)[];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}
