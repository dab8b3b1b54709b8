import { data, Outlet } from "react-router";
import { listCategories, listCategoryProducts } from "#contract/categories.ts";
import type { Connection } from "#contract/client.ts";
import { formatPrice } from "#contract/price.ts";
import { fetchContext, publicApi, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { metaTags } from "#web/meta.ts";
import type { Route } from "./+types/category.ts";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) =>
  metaTags({ title: "Products by Category", ...loaderData }, route);

/** Loads only the meta tags for link previews; the page itself is for members and rendered in the browser. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const api = publicApi(context.get(fetchContext));
  const categories = await api(listCategories, {}).catch(() => undefined);
  const category = categories?.body.find(({ _id }) => _id === params.id);
  if (categories && !category) return data(undefined, { status: 404 });
  const products = await api(listCategoryProducts, { params }).catch(() => undefined);
  const [newest] = products?.body ?? [];
  if (!category || !newest) return undefined;
  const { product_name, condition, resale_price, location } = newest;
  const laptop = `${product_name}, ${condition.toLowerCase()}, ${formatPrice(resale_price)} in ${location}`;
  return {
    title: titleOf(category.product_category),
    description: `Used ${category.product_category} laptops from people near you. The newest: ${laptop}.`,
    image: newest.img,
  };
}

/** Called by the server before rendering: an unknown category is a 404 (server/pages/site.ts). */
export const handle = {
  isEager: true,
  async lookUp({ id }: { id?: string }, fetch: Connection["fetch"]) {
    const categories = await publicApi(fetch)(listCategories, {}).catch(() => undefined);
    const isKnown = categories === undefined || categories.body.some(({ _id }) => _id === id);
    return { status: isKnown ? 200 : 404 };
  },
};

/** Client-side navigation only needs the title. */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const categories = await browserQueries
    .query({ ...queryOf(listCategories, {}), staleTime: "static" })
    .catch(() => []);
  const category = categories.find(({ _id }) => _id === params.id);
  return category && { title: titleOf(category.product_category) };
}

function titleOf(brand: string): string {
  return `Used ${brand} laptops`;
}

export default function Category() {
  return <Outlet />;
}
