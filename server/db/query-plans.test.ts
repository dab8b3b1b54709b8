import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Table, table } from "#contract/all-calls.ts";
import type { Call } from "#contract/call.ts";
import { searchSorts } from "#contract/search.ts";
import { fill } from "../../lab/bench/fill.ts";
import {
  createMembers,
  headersOf,
  type Kind,
  kindFor,
} from "../../security/access-matrix/actors.ts";
import { createFixtures, type Fixtures } from "../../security/access-matrix/fixtures.ts";
import type { Parts } from "../../security/access-matrix/row.ts";
import { rowOf } from "../../security/access-matrix/rows.ts";
import { allJobs } from "../all-jobs.ts";
import type { Jobs } from "../jobs/define-jobs.ts";
import { forwardJobs, type JobName } from "../jobs/job-queue.ts";
import type { Person } from "../testing/people.ts";
import { openShop, type Shop } from "../testing/shop.ts";
import {
  type Capture,
  captureStatements,
  fullScansOf,
  type Scan,
  type Statement,
} from "../testing/statements.ts";
import { signUpWithApp } from "../testing/two-factor.ts";

const laptops = 50_000;

/** The tables that grow with members, laptops and traffic. */
const largeTables = new Set(
  [
    "members products laptop_facts price_changes images bookings payments reports product_views audit_log",
    "members products images bookings payments reports product_views audit_log search_documents",
    "settlements ledger_journals ledger_entries balance_transactions money_moves complaints meetings",
    "offers review_windows reviews conversations conversation_members messages message_inboxes blocked_members",
    "user account session webhook_events idempotency_requests queued_emails rate_limits",
  ].flatMap((names) => names.split(" ")),
);

/** Indexes that may be scanned in full, because they are small. */
const smallIndexes = new Set([
  "members_is_admin_idx",
  // Holds end within three days.
  "bookings_held_until_idx",
  // Refunds that are due, or that failed and wait for an admin.
  "payments_owed_idx",
  // Money awaiting a transfer or the seller's payout account.
  "settlements_releasing_idx",
  // Undecided complaints, which are decided within weeks.
  "complaints_open_idx",
  // Sellers' debts and the cost of invitations.
  "ledger_entries_receivable_idx",
  "ledger_entries_marketing_idx",
  // Transfers that were presumed lost, or that the provider made twice.
  "money_moves_absent_idx",
  "money_moves_second_idx",
  // Money returned to a deal.
  "ledger_journals_came_back_idx",
]);

const ledgerTables = ["ledger_entries", "ledger_journals"];

/** Calls and jobs that may scan these tables in full (decisions/money, decisions/overview). */
const scannedTables: Record<string, string[]> = {
  readLedger: ledgerTables,
  reconcileLedger: ledgerTables,
  readAdminOverview: ["members", "products", "bookings", "payments", "reports"],
  // The job reads the newest sales, which are most of the sales in this test.
  refreshFairPrices: ["bookings", "products", "laptop_facts"],
};

/** SQL: enlarges tables that PostgreSQL would scan in full because `fill` adds too few rows. */
const moreRows = `
  insert into members (id, name, email, account_type, created_at, confirmed_at)
  select gen_random_uuid(), name, 'another.' || email, account_type, created_at, confirmed_at
  from members where staff_role is null and deleted_at is null;
  insert into reports (id, product_id, reporter_id, comment, reported_at, closed_at)
  select gen_random_uuid(), product_id, reporter_id, comment, reported_at, now() from reports;
  insert into complaints (booking_id, reason, words, opened_at, decided_at, refund_cents)
  select booking_id, 'other', 'Too slow.', paid_at, paid_at, 0
  from settlements where booking_id not in (select booking_id from complaints);
`;

let shop: Shop;
let capture: Capture;

beforeAll(async () => {
  shop = await openShop({ sandbox: true, env: { RATE_LIMIT: "on" } });
  // A separate client, because filling the database exceeds the pool's timeouts.
  const client = new pg.Client({ connectionString: shop.databaseUrl });
  await client.connect();
  await fill(client, laptops);
  await client.query(moreRows);
  await client.query("vacuum analyze members, reports, complaints");
  await client.end();
  capture = captureStatements(shop.pool);
});
afterAll(() => shop.close());

test("no API call or job scans a large table in full, except to sum the ledger, count for the overview or fit fair prices", async () => {
  for (const [name, call] of Object.entries<Call>(table)) await makeCall(name as keyof Table, call);
  await useIdentityRoutes();
  await readSitemaps();
  await runJobs();
  expect(capture.statements.size).toBeGreaterThan(150);
  expect(await problemsOf(shop.pool)).toEqual([]);
});

test("the check for full scans of large tables detects a missing index", async () => {
  const client = await shop.pool.connect();
  await client.query("begin");
  await client.query("drop index members_account_type_idx");
  const statements = [...capture.statements.values()];
  const lists = statements.filter(({ source }) => /^list(Buyers|Sellers)$/.test(source));
  const problems = await problemsOf(client, lists);
  await client.query("rollback");
  client.release();
  expect(problems).toContainEqual(
    expect.stringMatching(/list(Buyers|Sellers): Seq Scan of members/),
  );
});

async function problemsOf(
  client: Pick<pg.Pool, "query">,
  statements: Iterable<Statement> = capture.statements.values(),
): Promise<string[]> {
  const problems: string[] = [];
  for (const statement of statements) {
    const { source, text } = statement;
    const scans = (await fullScansOf(client, statement)).filter(isProblem);
    for (const { how, table } of scans.filter(
      (scan) => !scannedTables[source]?.includes(scan.table),
    ))
      problems.push(`${source}: ${how} of ${table}: ${text}`);
  }
  return problems;
}

/** Whether the scan may read a whole large table. Only index scans end early at a limit. */
function isProblem({ table, how, index, limited }: Scan): boolean {
  if (index !== undefined && smallIndexes.has(index)) return false;
  return largeTables.has(table) && (how === "Seq Scan" || !limited);
}

/** Queries to try in addition to the first page of each list. */
const searches: Partial<Record<keyof Table, (fixtures: Fixtures) => Record<string, string>[]>> = {
  listBuyers: () => [{ search: "grace" }, { search: "ada.lovelace1" }],
  listSellers: () => [{ search: "grace" }, { search: "ada.lovelace1" }],
  listPayments: () => [{ search: "pi_filled_77" }, { search: "grace.hopper1" }],
  search: () => [
    ...searchSorts.map((sort) => ({ sort, q: "thinkpad", near: "Leeds" })),
    { q: "thinkpad i7-1165g7 16gb under $300 within 500 km of leeds" },
    { ram: "16", storage: "512", cpu: "i5", battery: "80", verified: "true", sort: "price" },
    { q: "carbno" },
  ],
  listOffers: () => [{ conversation: randomUUID() }],
  listAuditLog: ({ members }) => [
    { email: members.buyer[0].email },
    { object: "booking" },
    { objectId: members.buyer[0].id },
    { object: "member", objectId: members.buyer[0].id },
  ],
};

async function makeCall(name: keyof Table, call: Call): Promise<void> {
  const row = rowOf(name);
  const kinds = new Set<Kind>([...(row.owners ?? [kindFor(call)]), ...(row.others ?? [])]);
  for (const kind of kinds) {
    // The test sends no webhooks itself, because the sandbox sends them.
    if (row.never?.[kind] !== undefined || call.access === "provider") continue;
    await capture.without(async () => {
      const fixtures = await (call.method === "GET" ? filled() : created());
      const [owner] = fixtures.members[kind];
      const parts = await row.ask(fixtures, owner);
      const lists = [
        ...(call.paged ? [{ limit: "1" }] : []),
        ...(searches[name]?.(fixtures) ?? []),
      ];
      for (const more of [{}, ...lists]) await askAs(owner, { name, call, parts, more });
    });
  }
}

const created = async () => createFixtures(shop, await createMembers(shop));

let filledOnce: Promise<Fixtures> | undefined;

async function filled(): Promise<Fixtures> {
  filledOnce ??= created().then(async (fixtures) => {
    await fixtures.everything();
    return fixtures;
  });
  return await filledOnce;
}

type Asked = { name: string; call: Call; parts: Parts; more: Record<string, string> };

async function askAs(owner: Person, { name, call, parts, more }: Asked): Promise<void> {
  const { params = {}, query = {}, body, payload } = parts;
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, part) =>
    encodeURIComponent(params[part] ?? ""),
  );
  const headers = { ...(await headersOf(owner)), "idempotency-key": randomUUID() };
  // `inject` sends the request only when awaited.
  const answer = await capture.during(
    name,
    async () =>
      await shop.app.inject({
        method: call.method,
        url: `${call.at === "root" ? "" : "/api"}${path}`,
        query: { ...query, ...more },
        headers: { ...headers, ...(payload && { "content-type": payload.type }) },
        ...(payload && { payload: payload.bytes }),
        ...(body !== undefined && { payload: body as object }),
      }),
  );
  expect(answer.statusCode, `${name}: ${answer.body}`).toBeLessThan(300);
  const [, cursor] = /[?&]cursor=([^&>]+)/.exec(String(answer.headers.link)) ?? [];
  if (cursor !== undefined && !("cursor" in more))
    await askAs(owner, { name, call, parts, more: { ...more, cursor } });
}

async function useIdentityRoutes(): Promise<void> {
  const { browser, email } = await signUpWithApp(shop.url, "ada@example.com");
  await browser.user();
  await browser.post("/request-password-reset", { email });
  await browser.post("/sign-out", {});
}

async function readSitemaps(): Promise<void> {
  const { body } = await shop.app.inject("/sitemap.xml");
  const [newest = ""] = body.match(/\/sitemaps\/[^<]+/g)?.slice(-1) ?? [];
  const read = await capture.during("sitemap", async () => await shop.app.inject(newest));
  expect(read.body).toContain("/laptops/");
}

async function runJobs(): Promise<void> {
  const fixtures = await capture.without(created);
  const [buyer, admin] = [fixtures.members.buyer[0], fixtures.members.admin[0]];
  const sha256 = async () => (await fixtures.image(buyer)).slice("/images/".length, -".jpg".length);
  const payloads: Payloads = {
    expireHold: async () => ({ bookingId: await fixtures.booking(buyer) }),
    settleIntent: async () => ({ intentId: (await fixtures.paidAtProvider(buyer)).transactionId }),
    refundPayment: async () => ({ paymentId: await dueRefund(fixtures, buyer) }),
    sendMail: async () => ({
      to: buyer.email,
      subject: "Hello",
      text: "Hello",
      html: "Hello",
      onlyWhile: { bookingId: await fixtures.booking(buyer), states: ["held"] },
    }),
    remindOfMeeting: async () => ({
      meetingId: (await fixtures.meeting(buyer, "agreed")).meeting,
    }),
    offerPasswordReset: async () => ({ email: buyer.email }),
    encodeAvif: async () => ({ sha256: await sha256() }),
    removeImage: async () => ({ sha256: await sha256() }),
    removePrivatePhoto: async () => ({ name: "0".repeat(64) }),
    reconcile: withoutPayload(async () => {
      // Marks due refunds as done, because the sandbox never received these payments.
      const refunded = { owed_since: null, refunded_at: new Date() } as const;
      const due = shop.deps.db.updateTable("payments").where("state", "=", "refund_due");
      await due.set(refunded).execute();
    }),
    readSellerAccount: async () => ({ accountId: "acct_unknown" }),
    recordReversals: async () => ({ bookingId: randomUUID() }),
    cleanUp: withoutPayload(async () => {
      const old = shop.deps.db.updateTable("images").set({ created_at: new Date(0) });
      await old.where("sha256", "=", await sha256()).execute();
    }),
    deleteHostedAccount: async () => ({ accountId: "nobody" }),
    endHoldsOf: async () => ({ memberId: buyer.id, actor: admin.id }),
    refreshFairPrices: withoutPayload(async () => {
      const completed = shop.deps.db.updateTable("bookings").set({ state: "completed" });
      await completed.where("id", "=", await fixtures.paidBooking(buyer)).execute();
    }),
    mailSavedSearches: withoutPayload(() => fixtures.matchedSearch(buyer)),
    expireOffer: async () => ({ offerId: await fixtures.offer(buyer, "by") }),
    declineOffer: async () => ({ offerId: await fixtures.offer(buyer, "by") }),
    mailOffer: async () => ({ offerId: await fixtures.offer(buyer, "by"), state: "open" }),
    reviewSteps: withoutPayload(async () => {
      await fixtures.dealToReview(buyer, 2);
      await fixtures.dealToReview(buyer, 20);
    }),
    mailMessages: withoutPayload(() => fixtures.conversation(buyer)),
    rewardInvitations: withoutPayload(async () => {
      await fixtures.invitation(buyer, "sent");
      await fixtures.invitation(buyer, "joined");
    }),
    expireCredits: withoutPayload(() => fixtures.credit(buyer)),
    mailSavedProducts: withoutPayload(() => fixtures.changedSavedProduct(buyer)),
  };
  for (const [name, { run }] of Object.entries<Jobs[string]>(allJobs)) {
    const payload = (payloads as Record<string, Payload | undefined>)[name] ?? (async () => ({}));
    const given = await capture.without<unknown>(payload);
    await capture.during(name, async () => void (await run(shop.deps, given)));
  }
  await capture.during("jobOutbox", () => forwardJobs(shop.deps.db));
}

type Payload<P = unknown> = () => Promise<P>;

/** Runs `prepare` first, for a job that has no payload but needs rows. */
const withoutPayload = (prepare: () => Promise<unknown>) => async () => {
  await prepare();
  return {};
};

type Payloads = {
  [N in JobName as Record<string, never> extends GraphileWorker.Tasks[N] ? never : N]: Payload<
    GraphileWorker.Tasks[N]
  >;
} & { [N in JobName]?: Payload };

async function dueRefund(fixtures: Fixtures, buyer: Person): Promise<string> {
  const { transactionId, bookingId } = await fixtures.paidAtProvider(buyer);
  const [id, { db }] = [randomUUID(), shop.deps];
  const values = { id, transaction_id: transactionId, booking_id: bookingId, currency: "usd" };
  await db
    .insertInto("payments")
    .values({
      ...values,
      amount_cents: 64_000,
      goes_back: true,
      owed_since: shop.clock.now(),
      recorded_at: shop.clock.now(),
    })
    .execute();
  return id;
}
