import { ProductName } from "#web/domain/products/ProductName.tsx";
import { Button } from "#web/ui/Button.tsx";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { EmptyIllustration, ErrorIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { Thumbnail } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { GallerySection } from "./Gallery.tsx";

type Entry = { title: string; price: string };

const columns: Column<Entry>[] = [
  serialNumber(),
  { header: "Image", as: "photo", cell: () => <Thumbnail img="/icon-512.png" alt="" /> },
  { header: "Title", as: "title", cell: ({ title }) => <ProductName name={title} /> },
  { header: "Price", cell: ({ price }) => price },
];

const failed = {
  data: undefined,
  error: new Error("We can't reach the shop. Check your connection and try again."),
  isFetching: false,
  refetch: () => {},
};

export function Lists() {
  const table = (
    <DataTable
      caption="Laptops"
      columns={columns}
      rows={[{ title: "MacBook Air 13 M4, 16 GB, 256 GB", price: "$819" }]}
      keyOf={({ title }) => title}
    />
  );
  return (
    <GallerySection title="Lists">
      {table}
      <div className="w-80">{table}</div>
      <TableSkeleton columns={columns} rows={2} />
      <Notice title="You haven't booked a laptop yet" drawing={<EmptyIllustration />}>
        <p>Laptops you book appear here.</p>
        <Button>Find a laptop</Button>
      </Notice>
      <QueryState query={failed} skeleton={null}>
        {() => null}
      </QueryState>
      <ErrorIllustration className="w-64" title="A laptop with a sad face" />
    </GallerySection>
  );
}
