import {
  maxSavedSearches,
  type SavedSearch,
  type SearchFrequency,
} from "#contract/saved-searches.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import { lockMember, type Member } from "../../db/member.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { compileOrStop, compileSearch, readSearch } from "./compile-search.ts";

export async function listSavedSearches(tx: Tx, { id }: Member): Promise<SavedSearch[]> {
  const rows = await tx
    .selectFrom("saved_searches")
    .select(["id as _id", "search", "label", "frequency", "saved_at"])
    .where("member_id", "=", id)
    .orderBy("saved_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(({ saved_at, frequency, ...row }) => ({
    ...row,
    frequency: frequency as SearchFrequency,
    savedAt: saved_at.toISOString(),
    problem: problemOf(row.search),
  }));
}

function problemOf(search: string): string | null {
  try {
    readSearch(search);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

type NewSearch = { search: string; frequency?: SearchFrequency | undefined };

/**
 * Saves a search. A repeated call changes at most the frequency. Throws `TOO_MANY_SAVED`, or
 * `INVALID_INPUT` for an invalid or empty search. Adds no audit row (decisions/saved).
 */
export async function saveSearch(
  { db, clock }: Deps,
  member: Member,
  { search: address, frequency }: NewSearch,
): Promise<string> {
  const { search, query } = readSearch(address);
  return await transact(db, "saveSearch", async (tx) => {
    // Without this lock, concurrent saves could exceed the limit.
    await lockMember(tx, member.id, "update");
    const saved = await tx
      .selectFrom("saved_searches")
      .select(["id", "search", "frequency"])
      .where("member_id", "=", member.id)
      .execute();
    const known = saved.find((one) => one.search === search);
    const at = clock.now();
    if (known) {
      if (frequency) await setFrequency(tx, known, { frequency, at });
      return known.id;
    }
    if (saved.length >= maxSavedSearches)
      throw new AppError(
        "TOO_MANY_SAVED",
        `You have saved ${maxSavedSearches} searches, which is the most you can. Delete one first.`,
      );
    const row = { id: newId(at), member_id: member.id, search, frequency: frequency ?? "daily" };
    await tx
      .insertInto("saved_searches")
      .values({ ...row, ...(await compileSearch(tx, query, at)), saved_at: at, next_email_at: at })
      .execute();
    return row.id;
  });
}

/** Throws `NOT_FOUND`, or `INVALID_INPUT` when restarting emails of an invalid search. */
export async function changeSavedSearch(
  { db, clock }: Deps,
  member: Member,
  { id, frequency }: { id: string; frequency: SearchFrequency },
): Promise<void> {
  await transact(db, "changeSavedSearch", async (tx) => {
    const known = await tx
      .selectFrom("saved_searches")
      .select(["id", "search", "frequency"])
      .where("id", "=", id)
      .where("member_id", "=", member.id)
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    await setFrequency(tx, known, { frequency, at: clock.now() });
  });
}

type Known = { id: string; search: string; frequency: string };

/** Changes how often a search is emailed. Restarted emails don't include earlier matches. */
async function setFrequency(
  tx: Tx,
  { id, search, frequency: before }: Known,
  { frequency, at }: { frequency: SearchFrequency; at: Date },
): Promise<void> {
  if (frequency === before) return;
  const isRestart = before === "never";
  const compiled = isRestart ? await compileSearch(tx, readSearch(search).query, at) : {};
  await tx
    .updateTable("saved_searches")
    .set({ ...compiled, frequency, ...(frequency === "instant" && { next_email_at: at }) })
    .where("id", "=", id)
    .execute();
  if (isRestart)
    await tx
      .deleteFrom("saved_search_matches")
      .where("search_id", "=", id)
      .where("mailed_at", "is", null)
      .execute();
}

/** Throws `NOT_FOUND`. */
export async function deleteSavedSearch({ db }: Deps, member: Member, id: string): Promise<void> {
  await transact(db, "deleteSavedSearch", async (tx) => {
    const removed = await tx
      .deleteFrom("saved_searches")
      .where("id", "=", id)
      .where("member_id", "=", member.id)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw notFound();
  });
}

const notFound = orNotFound("You have no such saved search.");

/** Replaces a category in all saved searches, and deletes those that become duplicates. */
export async function replaceCategory(
  tx: Tx,
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<void> {
  const rows = await tx
    .selectFrom("saved_searches")
    .select(["id", "member_id", "search"])
    .where("search", "like", `%${from}%`)
    .execute();
  for (const { id, member_id, search } of rows) {
    const parameters = new URLSearchParams(search);
    const categories = parameters.get("category")?.split(",") ?? [];
    if (!categories.includes(from)) continue;
    const replaced = categories.map((one) => (one === from ? to : one));
    parameters.set("category", [...new Set(replaced)].join(","));
    const changed = parameters.toString();
    const known = await tx
      .selectFrom("saved_searches")
      .select("id")
      .where("member_id", "=", member_id)
      .where("search", "=", changed)
      .executeTakeFirst();
    if (known) await tx.deleteFrom("saved_searches").where("id", "=", id).execute();
    else
      await tx
        .updateTable("saved_searches")
        .set({ search: changed, ...(await compileOrStop(tx, changed, at)) })
        .where("id", "=", id)
        .execute();
  }
}

export async function deleteSavedSearches(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("saved_searches").where("member_id", "=", memberId).execute();
}
