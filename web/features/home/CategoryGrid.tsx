import { useQuery } from "@tanstack/react-query";
import { Link, PrefetchPageLinks } from "react-router";
import { listCategories } from "#contract/categories.ts";
import { queryOf } from "#web/api/api.ts";
import { freshFromLoader } from "#web/api/query-client.ts";
import { paths } from "#web/paths.ts";
import { useHydratingMark } from "#web/start/markup.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { usePhotoUrl } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { useHydrated } from "#web/ui/use-hydrated.ts";

export function CategoryGrid() {
  const categories = useQuery({ ...queryOf(listCategories, {}), ...freshFromLoader });
  const isHydrated = useHydrated();
  const photoUrl = usePhotoUrl();
  const mark = useHydratingMark();
  return (
    <section id="categories" aria-labelledby="categories-title" className="scroll-mt-8" {...mark}>
      <h2 id="categories-title" className="mb-6 text-title">
        Product Categories
      </h2>
      {isHydrated && <PrefetchPageLinks page={paths.categoryProducts("any")} />}
      <QueryState
        query={categories}
        skeleton={<div className="h-60" />}
        empty={<Notice title="No categories yet" />}
      >
        {(list) => (
          <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4">
            {list.map(({ _id, product_category, brandImg }) => (
              <li key={_id}>
                <Link to={paths.categoryProducts(_id)} className="tile">
                  <img src={photoUrl(brandImg)} alt="" loading="lazy" className="brand-chip" />
                  {product_category}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  );
}
