import { type Expression, sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { Report } from "#contract/reports.ts";
import { type Tx, transact } from "../../db/database.ts";
import { newId } from "../../db/ids.ts";
import type { Member } from "../../db/member.ts";
import { newestFirst, type Page, type Paging } from "../../db/pagination.ts";
import { recordAudit } from "../../db/record-audit.ts";
import type { Deps } from "../../deps.ts";
import { AppError, orNotFound } from "../../errors.ts";
import { selectProducts, toProductWithContact } from "../products/product-rows.ts";
import { refuseOwnCase } from "../staff/conflict-of-interest.ts";

/** Throws `NOT_FOUND`, `FORBIDDEN` for one's own laptop, or `ALREADY_REPORTED`. */
export async function reportProduct(
  deps: Deps,
  buyer: Member,
  { comment, reportProduct }: { comment: string; reportProduct: { _id: string } },
): Promise<string> {
  return await transact(deps.db, "reportProduct", async (tx) => {
    const product = await tx
      .selectFrom("products")
      .select(["id", "seller_id"])
      .where("id", "=", reportProduct._id)
      .where("deleted_at", "is", null)
      .executeTakeFirstOrThrow(orNotFound("This laptop is no longer listed."));
    if (product.seller_id === buyer.id) throw new AppError("FORBIDDEN", "This is your own laptop.");
    const about = { object: "product", objectId: product.id } as const;
    return await insertReport(tx, buyer, { ...about, comment, at: deps.clock.now() });
  });
}

const kinds = {
  product: { table: "reports", shown: "this laptop" },
  conversation: { table: "conversation_reports", shown: "these messages" },
  review: { table: "review_reports", shown: "this review" },
};

type AnyReport = { object: keyof typeof kinds; objectId: string; comment: string; at: Date };

/** Returns the report's id. Throws `ALREADY_REPORTED` if an earlier report by them is open. */
export async function insertReport(
  tx: Tx,
  { id: reporterId }: Member,
  { object, objectId, comment, at }: AnyReport,
): Promise<string> {
  const { table, shown } = kinds[object];
  const about = sql.ref(`${object}_id`);
  const id = newId(at);
  const inserted = await sql`
    insert into ${sql.table(table)} (id, ${about}, reporter_id, comment, reported_at)
    values (${id}, ${objectId}, ${reporterId}, ${comment}, ${at})
    on conflict (${about}, reporter_id) where closed_at is null do nothing`.execute(tx);
  if (inserted.numAffectedRows === 0n)
    throw new AppError(
      "ALREADY_REPORTED",
      `You've already reported ${shown}. We're looking into it.`,
    );
  await recordAudit(tx, { at, actor: reporterId, verb: "report", object, objectId });
  return id;
}

export async function listReports(tx: Tx, paging: Paging): Promise<Page<Report>> {
  const query = selectProducts(tx)
    .innerJoin("reports", "reports.product_id", "products.id")
    .innerJoin("members as reporter", "reporter.id", "reports.reporter_id")
    .select(["reports.id as report_id", "reports.comment", "reports.reported_at"])
    .select("products.deleted_at")
    .select(["reporter.name as reporter_name", "reporter.email as reporter_email"])
    .select(({ ref }) => historyOf(tx, ref("reporter.id"), ref("products.seller_id")))
    .where("reports.closed_at", "is", null);
  const order = { at: "reports.reported_at", id: "reports.id" } as const;
  return await newestFirst(query, { ...order, ...paging }, (row) => ({
    _id: row.report_id,
    name: row.reporter_name,
    email: row.reporter_email,
    comment: row.comment,
    reportedAt: row.reported_at.toISOString(),
    listed: row.deleted_at === null,
    history: row.history,
    reportProduct: toProductWithContact(row),
  }));
}

function historyOf(tx: Tx, reporterId: Expression<string>, sellerId: Expression<string>) {
  const count = sql<number>`count(*)::integer`;
  const reports = tx
    .selectFrom("reports as earlier")
    .innerJoin("products as reported", "reported.id", "earlier.product_id");
  const byReporter = reports.where("earlier.reporter_id", "=", reporterId);
  const bySeller = tx.selectFrom("products as own").where("own.seller_id", "=", sellerId);
  return jsonBuildObject({
    reporter: jsonBuildObject({
      reports: byReporter.select(count.as("count")).$asScalar(),
      dismissed: byReporter
        .where("earlier.closed_at", "is not", null)
        .where("reported.taken_down", "=", false)
        .select(count.as("count"))
        .$asScalar(),
    }),
    seller: jsonBuildObject({
      listings: bySeller.select(count.as("count")).$asScalar(),
      reports: reports
        .where("reported.seller_id", "=", sellerId)
        .select(count.as("count"))
        .$asScalar(),
      takenDown: bySeller.where("own.taken_down", "=", true).select(count.as("count")).$asScalar(),
    }),
  }).as("history");
}

/**
 * Closes a report, and keeps its row. The listing stays as it is; `takeDownProduct` takes it down.
 * Throws `NOT_FOUND`, or `FORBIDDEN` for the seller.
 */
export async function deleteReport(deps: Deps, admin: Member, id: string): Promise<void> {
  await transact(deps.db, "deleteReport", async (tx) => {
    const at = deps.clock.now();
    const closed = await tx
      .updateTable("reports")
      .from("products")
      .whereRef("products.id", "=", "product_id")
      .set({ closed_at: at })
      .where("reports.id", "=", id)
      .where("closed_at", "is", null)
      .returning("seller_id")
      .executeTakeFirstOrThrow(orNotFound("This report is already closed."));
    refuseOwnCase(admin, closed.seller_id);
    await recordAudit(tx, { at, actor: admin.id, verb: "close", object: "report", objectId: id });
  });
}
