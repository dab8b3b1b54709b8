import { useQuery } from "@tanstack/react-query";
import { changeCategory, type OwnedCategory, readCatalog } from "#contract/manage-categories.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { usePhotoUrl } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { CategoryButton, DeleteCategory, type RowProps } from "./category-dialogs.tsx";

const columns: Column<OwnedCategory>[] = [
  { header: "Picture", as: "photo", cell: ({ brandImg }) => <Picture img={brandImg} /> },
  {
    header: "Category",
    as: "title",
    cell: ({ product_category, hidden }) => (
      <span className="inline-flex items-center gap-1.5 font-medium">
        <bdi>{product_category}</bdi>
        {hidden && <span className="rounded-full border px-2 text-xs">Hidden</span>}
      </span>
    ),
  },
  { header: "Laptops", as: "amount", cell: ({ laptops }) => laptops.toLocaleString("en-US") },
];

/** The categories are in the order that buyers see them. */
export function Catalog() {
  const found = useQuery(queryOf(readCatalog, {}));
  return (
    <QueryState query={found} skeleton={<TableSkeleton columns={columns} rows={12} />}>
      {(catalog) => (
        <div className="flex flex-col gap-6">
          <CategoryButton basedOn={catalog.version} />
          <DataTable
            caption="Categories"
            columns={[
              ...columns,
              { header: "Order", cell: (one) => <Order category={one} catalog={catalog} /> },
              { header: "Action", cell: (one) => <Actions category={one} catalog={catalog} /> },
            ]}
            rows={catalog.categories}
            keyOf={({ _id }) => _id}
          />
        </div>
      )}
    </QueryState>
  );
}

function Picture({ img }: { img: string }) {
  const photoUrl = usePhotoUrl();
  return <img src={photoUrl(img)} alt="" className="brand-chip" />;
}

function Order({ category, catalog: { categories, version: basedOn } }: RowProps) {
  const { _id: id, product_category: name } = category;
  const move = useCall(changeCategory);
  const at = categories.indexOf(category);
  return (
    <div className="flex gap-2">
      {(["up", "down"] as const).map((way) => (
        <Button
          key={way}
          look="plain"
          size="small"
          aria-label={`Move ${name} ${way}`}
          disabled={at === (way === "up" ? 0 : categories.length - 1)}
          busy={move.isPending}
          onClick={() =>
            move.mutate({ params: { id }, body: { place: way === "up" ? at : at + 2, basedOn } })
          }
        >
          <Icon name={`chevron-${way}`} className="size-4" />
        </Button>
      ))}
    </div>
  );
}

function Actions(props: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <CategoryButton category={props.category} basedOn={props.catalog.version} />
      <Hide {...props} />
      <DeleteCategory {...props} />
    </div>
  );
}

function Hide({ category, catalog: { version: basedOn } }: RowProps) {
  const { _id: id, product_category: name, hidden } = category;
  const hide = useCall(changeCategory, {
    onSuccess: () =>
      toast.success(
        hidden ? `${name} is shown again.` : `${name} is hidden. Its laptops stay for sale.`,
      ),
  });
  const verb = hidden ? "Show" : "Hide";
  return (
    <Button
      look="plain"
      size="small"
      aria-label={`${verb} ${name}`}
      busy={hide.isPending}
      onClick={() => hide.mutate({ params: { id }, body: { hidden: !hidden, basedOn } })}
    >
      {verb}
    </Button>
  );
}
