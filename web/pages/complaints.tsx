import { useInfiniteQuery } from "@tanstack/react-query";
import { type Complaint, listComplaints } from "#contract/complaints.ts";
import { formatPrice } from "#contract/price.ts";
import { listOf } from "#web/api/api.ts";
import { roleLoader } from "#web/auth/guard.ts";
import { answerText, reasonNames } from "#web/features/complaints/complaint-words.ts";
import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { TextLink } from "#web/ui/Link.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";

export const meta = pageMeta("Complaints");

export const clientLoader = roleLoader("support");

const columns: Column<Complaint>[] = [
  {
    header: "Laptop",
    as: "title",
    cell: ({ _id, product }) => (
      <TextLink to={paths.complaint(_id)}>{product.product_name}</TextLink>
    ),
  },
  { header: "Since", cell: ({ openedAt }) => <DateTime at={openedAt} /> },
  { header: "Buyer says", cell: ({ reason }) => reasonNames[reason] },
  { header: "Seller says", cell: answerText },
  {
    header: "Decide by",
    cell: ({ decideBy, waitsForBank }) =>
      waitsForBank ? "Waiting for the buyer's bank" : <DateTime at={decideBy} />,
  },
  { header: "Price", as: "amount", cell: ({ price }) => formatPrice(price) },
];

export default function Complaints() {
  const complaints = useInfiniteQuery({ ...listOf(listComplaints, {}), refetchInterval: 30_000 });
  return (
    <>
      <PageHeading title="Complaints">
        <p className="text-muted">What buyers say is wrong with their laptops.</p>
      </PageHeading>
      <QueryTable
        query={complaints}
        caption="Complaints"
        columns={columns}
        emptyTitle="No open complaints"
        empty={
          <p>Complaints about laptops that buyers received appear here until they're settled.</p>
        }
      />
    </>
  );
}
