import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { type Laptop, readProduct } from "#contract/laptop-page.ts";
import { type Api, queryOf } from "#web/api/api.ts";
import { freshFromLoader } from "#web/api/query-client.ts";
import { CompareTable } from "#web/features/compare/CompareTable.tsx";
import { comparedIds, useRememberedComparison } from "#web/features/compare/comparison.ts";
import { useMayBuy } from "#web/features/products/BookAndReport.tsx";
import { useOwnProductIds } from "#web/features/products/ProductGrid.tsx";
import { SaveButton } from "#web/features/saved/SaveButton.tsx";
import { paths } from "#web/paths.ts";
import { useHydratingMark } from "#web/start/markup.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { useProductDialogs } from "./product-dialogs.tsx";

export const laptopQuery = (id: string, api?: Api) => queryOf(readProduct, { params: { id } }, api);

export function CompareView() {
  const [query] = useSearchParams();
  const { ids, leftOut } = comparedIds(query);
  useRememberedComparison(ids, query.has("add"));
  const laptops = [useLaptop(ids[0]), useLaptop(ids[1]), useLaptop(ids[2]), useLaptop(ids[3])];
  const columns = ids.map((id, index) => ({ id, laptop: laptops[index] }));
  const { notice, dialog, actionsOf } = useActions(
    laptops.flatMap((laptop) => (laptop?.withdrawn === false ? [laptop] : [])),
  );
  return (
    <div {...useHydratingMark()}>
      {notice}
      <PageHeading title="Compare laptops" />
      {leftOut > 0 && (
        <p role="status" className="mb-4">
          Four laptops fit side by side. The others are left out.
        </p>
      )}
      {ids.length > 0 ? (
        <CompareTable
          columns={columns}
          actionsOf={actionsOf}
          another={
            <div className="compare-another">
              <p>Choose a laptop to compare this one with, and press Compare on its page.</p>
              <FindAnother />
            </div>
          }
        />
      ) : (
        <Notice title="Nothing to compare yet" drawing>
          <p>Press Compare on a laptop's page, or choose laptops in the search.</p>
          <ButtonLink to={paths.search()}>Search laptops</ButtonLink>
        </Notice>
      )}
      {ids.length > 0 && ids.length < 4 && (
        <p className={`mt-6 ${ids.length === 1 ? "compare-find-below" : ""}`}>
          <FindAnother />
        </p>
      )}
      {dialog}
    </div>
  );
}

function useLaptop(id = "") {
  return useQuery({ ...laptopQuery(id), ...freshFromLoader, enabled: id !== "" }).data;
}

function useActions(laptops: Laptop[]) {
  const forSale = laptops.filter(({ sales_status }) => sales_status === "available");
  const { onBook, notice, dialog } = useProductDialogs(forSale);
  const ownIds = useOwnProductIds();
  const mayBuy = useMayBuy();
  const actionsOf = (laptop: Laptop) => (
    <>
      {forSale.includes(laptop) && mayBuy && !ownIds.has(laptop._id) && (
        <Button
          className="needs-scripts"
          aria-description={laptop.product_name}
          onClick={() => onBook(laptop)}
        >
          Book Now
        </Button>
      )}
      <SaveButton id={laptop._id} name={laptop.product_name} />
    </>
  );
  return { notice, dialog, actionsOf };
}

function FindAnother() {
  return (
    <ButtonLink to={paths.search()} look="plain">
      Find another laptop
    </ButtonLink>
  );
}
