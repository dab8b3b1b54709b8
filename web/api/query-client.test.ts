import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, test, vi } from "vitest";
import { table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { changesOf, readsOf } from "#contract/call-resources.ts";
import { type Api, queryOf } from "./api.ts";
import { createQueryClient, invalidateReads } from "./query-client.ts";

const calls = Object.values<Call>(table);
const reads = calls.filter(({ method }) => method === "GET");

const staleAfter: [write: keyof typeof table, stale: (keyof typeof table)[]][] = [
  ["endSession", ["listSessions"]],
  ["endOtherSessions", ["listSessions"]],
  ["bookProduct", ["listBookings", "listCategoryProducts", "listAdvertisedProducts"]],
  ["cancelBooking", ["listBookings", "listSellerProducts"]],
  ["cancelBooking", ["listCategoryProducts", "listAdvertisedProducts"]],
  ["confirmHandover", ["listBookings"]],
  ["recordPayment", ["listBookings", "findBookingToPay"]],
  ["refundBooking", ["listPayments", "listBookings"]],
  ["refundBooking", ["listCategoryProducts", "listAdvertisedProducts"]],
  ["toggleSuspension", ["listSellers", "listBuyers"]],
  ["toggleSuspension", ["listAdvertisedProducts", "listCategoryProducts"]],
  ["toggleSellerStatus", ["listSellers", "listAdvertisedProducts", "listCategoryProducts"]],
  ["deleteUser", ["listSellers", "listBuyers", "listAdvertisedProducts", "listCategoryProducts"]],
  ["addProduct", ["listSellerProducts", "listCategoryProducts"]],
  ["toggleAdvertise", ["listSellerProducts", "listAdvertisedProducts"]],
  ["deleteProduct", ["listSellerProducts", "listAdvertisedProducts"]],
  ["takeDownProduct", ["listReports", "listAdvertisedProducts", "listCategoryProducts"]],
  ["deleteReport", ["listReports"]],
  ["upsertMember", ["listAdvertisedProducts", "listCategoryProducts"]],
  ["updateProfile", ["listAdvertisedProducts", "listCategoryProducts", "listSellerProducts"]],
  ["updateProfile", ["readConfirmation"]],
  ["confirmAddress", ["readConfirmation"]],
];

describe("query invalidation", () => {
  test.each(calls.filter(({ method }) => method !== "GET"))(
    "$method $path declares the resources it changes, and each of them is read by a GET request",
    (call) => {
      const changed = changesOf(call);
      expect(changed).toBeInstanceOf(Array);
      for (const resource of changed)
        expect(reads.some((read) => readsOf(read).includes(resource))).toBe(true);
    },
  );

  test.each(staleAfter)("the write %s makes the reads %j stale", async (write, stale) => {
    const queries = createQueryClient();
    const cached = stale.map((name) => queryOf(table[name] as Call, {}, noAnswer));
    for (const query of cached) await queries.query(query);
    await queries
      .getMutationCache()
      .build(queries, { mutationFn: async () => {}, meta: { changes: changesOf(table[write]) } })
      .execute(undefined);
    const isStale = ({ queryKey }: (typeof cached)[number]) =>
      queries.getQueryState(queryKey)?.isInvalidated;
    expect(cached.map(isStale)).toEqual(stale.map(() => true));
  });

  test.each(["on screen", "in the background"])(
    "after a write during its first fetch, a list %s is refetched if it is shown, or else marked as stale",
    async (where) => {
      const queries = createQueryClient();
      const answers: PromiseWithResolvers<string>[] = [];
      const list = queryOf(table.listReports, {}, async () => {
        const answer = Promise.withResolvers<string>();
        answers.push(answer);
        return { status: 200, body: (await answer.promise) as never, next: undefined };
      });
      const stop =
        where === "on screen" ? new QueryObserver(queries, list).subscribe(() => {}) : () => {};
      const reading = queries.query(list);
      const changed = invalidateReads(queries, changesOf(table.deleteReport));
      answers[0]?.resolve("before the write");
      expect(await reading).toBe("before the write");
      if (where === "on screen") {
        await expect.poll(() => answers.length).toBe(2);
        answers[1]?.resolve("after the write");
        expect(queries.getQueryState(list.queryKey)?.data).toBe("before the write");
      }
      await changed;
      expect(queries.getQueryState(list.queryKey)).toMatchObject(
        where === "on screen" ? { data: "after the write" } : { isInvalidated: true },
      );
      stop();
    },
  );

  test("invalidation doesn't wait for the fetch of a list off screen, and succeeds even if that fetch fails later", async () => {
    const queries = createQueryClient();
    const answer = Promise.withResolvers<never>();
    const list = queryOf(table.listReports, {}, () => answer.promise);
    const reading = queries.query({ ...list, retry: false });
    await invalidateReads(queries, changesOf(table.deleteReport));
    answer.reject(new Error("refused"));
    await expect(reading).rejects.toThrow("refused");
  });

  test("a successful write waits for the refetch of a list on screen, a rejected one doesn't", async () => {
    const queries = createQueryClient();
    let reads = 0;
    const { promise: later, resolve: answerLater } = Promise.withResolvers<void>();
    const list = queryOf(table.listReports, {}, async () => {
      reads += 1;
      if (reads > 1) await later;
      return { status: 200, body: [] as never, next: undefined };
    });
    const stop = new QueryObserver(queries, list).subscribe(() => {});
    await queries.query(list);
    const write = (mutationFn: () => Promise<void>) =>
      queries
        .getMutationCache()
        .build(queries, { mutationFn, meta: { changes: changesOf(table.deleteReport) } })
        .execute(undefined);
    await expect(write(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect(queries.isFetching()).toBe(1);
    let isDone = false;
    const written = write(async () => {}).then(() => {
      isDone = true;
    });
    await expect.poll(() => reads).toBe(3);
    expect(isDone).toBe(false);
    answerLater();
    await written;
    stop();
  });

  test("a rejected write still invalidates the queries it affects, but no others", async () => {
    const queries = createQueryClient();
    const categories = queryOf(table.listCategories, {}, noAnswer);
    const reports = queryOf(table.listReports, {}, noAnswer);
    await Promise.all([queries.query(categories), queries.query(reports)]);
    const refused = queries.getMutationCache().build(queries, {
      mutationFn: () => Promise.reject(new Error("refused")),
      meta: { changes: changesOf(table.deleteReport) },
    });
    await expect(refused.execute(undefined)).rejects.toThrow("refused");
    expect(queries.getQueryState(categories.queryKey)?.isInvalidated).toBe(false);
    expect(queries.getQueryState(reports.queryKey)?.isInvalidated).toBe(true);
  });
});

test("§9.8.2: a failed fetch is retried after 1, 2 and 4 seconds", async () => {
  vi.useFakeTimers();
  try {
    const start = Date.now();
    const askedAt: number[] = [];
    const list = queryOf(table.listReports, {}, async () => {
      askedAt.push(Date.now() - start);
      if (askedAt.length < 4) throw new Error("no answer");
      return { status: 200, body: [] as never, next: undefined };
    });
    const reading = createQueryClient().query(list);
    await vi.runAllTimersAsync();
    expect(await reading).toEqual([]);
    expect(askedAt).toEqual([0, 1_000, 3_000, 7_000]);
  } finally {
    vi.useRealTimers();
  }
});

const noAnswer: Api = () => Promise.resolve({ status: 200, body: [] as never, next: undefined });
