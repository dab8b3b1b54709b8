import { useInfiniteQuery } from "@tanstack/react-query";
import { formatPrice } from "#contract/price.ts";
import { deleteReport, listReports, type Report } from "#contract/reports.ts";
import { listOf, useCall } from "#web/api/api.ts";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { DeleteButton } from "#web/ui/ConfirmButton.tsx";
import { type Column, serialNumber } from "#web/ui/DataTable.tsx";
import { counted, formatDate } from "#web/ui/format-dates-and-counts.ts";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { TakeDownButton } from "./TakeDownButton.tsx";

const columns: Column<Report>[] = [
  serialNumber(),
  {
    header: "Image",
    as: "photo",
    cell: ({ reportProduct: { img, product_name } }) => <Thumbnail img={img} alt={product_name} />,
  },
  {
    header: "Title",
    as: "title",
    cell: ({ reportProduct, history }) => (
      <>
        <p className="font-medium">
          <LaptopLink {...reportProduct} />
        </p>
        <p className="mt-1 text-sm tabular-nums">{formatPrice(reportProduct.resale_price)}</p>
        <p className="mt-1 text-muted text-sm">
          <bdi>{reportProduct.seller_name}</bdi>
          <br />
          {sellerHistory(history.seller)}
        </p>
      </>
    ),
  },
  {
    header: "Comment",
    cell: ({ comment, name, reportedAt, history }) => (
      <>
        <p dir="auto" className="user-text">
          {comment}
        </p>
        <p className="mt-1 text-muted text-sm">
          <bdi>{name}</bdi>, {formatDate(reportedAt)}
          <br />
          {reporterHistory(history.reporter)}
        </p>
      </>
    ),
  },
  {
    header: "Action",
    cell: (report) => (
      <div className="flex flex-wrap items-center gap-2">
        {report.listed ? (
          <TakeDownButton product={report.reportProduct} />
        ) : (
          <span className="text-muted text-sm">Listing taken down</span>
        )}
        <DeleteReport report={report} />
      </div>
    ),
  },
];

type History = Report["history"];

function sellerHistory({ listings, reports, takenDown }: History["seller"]): string {
  const parts = [counted(listings, "listing"), counted(reports, "report")];
  if (takenDown > 0) parts.push(`${takenDown} taken down`);
  return parts.filter(Boolean).join(", ");
}

function reporterHistory({ reports, dismissed }: History["reporter"]): string {
  if (reports === 1) return "Their first report";
  return `${reports} reports${dismissed > 0 ? `, ${dismissed} dismissed` : ""}`;
}

export function ReportedItemsTable() {
  const reports = useInfiniteQuery(listOf(listReports, {}));
  return (
    <QueryTable
      query={reports}
      caption="Reported Items"
      columns={columns}
      emptyTitle="No reported items"
      empty="When a buyer reports a laptop, it appears here."
    />
  );
}

function DeleteReport({ report: { _id, reportProduct } }: { report: Report }) {
  const { product_name } = reportProduct;
  const remove = useCall(deleteReport, {
    success: `Reported item ${product_name} deleted successfully`,
  });
  return (
    <DeleteButton
      name={`the report about ${product_name}`}
      note="This closes the report. The listing stays as it is."
      busy={remove.isPending}
      onDelete={(done) => remove.mutate({ params: { id: _id } }, { onSettled: done })}
    />
  );
}
