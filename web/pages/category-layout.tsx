import { data } from "react-router";
import { listCategoryProducts, readCategory } from "#contract/categories.ts";
import { CallError, type Connection } from "#contract/client.ts";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { type Api, pageContext, publicApi, queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { searchOf } from "#web/features/search/search-address.ts";
import { metaTags, notIndexed, type PageInfo } from "#web/page-meta.ts";
import { shorten } from "#web/ui/shorten.ts";
import type { Route } from "./+types/category-layout.ts";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  // A filtered page shows laptops of the category's page, so search engines shouldn't list it.
  const isVariant = isFiltered(new URLSearchParams(route.location.search));
  return [
    ...metaTags({ title: "Products by Category", ...loaderData, isVariant }, route),
    ...(isVariant ? [notIndexed] : []),
  ];
};

/** Loads only the data for the meta tags. `category-products.tsx` loads the page itself. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const api = publicApi(context.get(pageContext).fetch);
  const [category, products] = await Promise.all([
    findCategory(api, params),
    api(listCategoryProducts, { params }).catch(() => undefined),
  ]);
  if (category === null) return data(undefined, { status: 404 });
  return category && infoOf(category.product_category, products?.body[0]);
}

/** Null if there is no such category; undefined if the category can't be read now. */
async function findCategory(api: Api, params: { id: string }) {
  try {
    return (await api(readCategory, { params })).body;
  } catch (error) {
    return error instanceof CallError && [400, 404].includes(error.status) ? null : undefined;
  }
}

function infoOf(brand: string, newest: Product | undefined): PageInfo {
  const title = titleOf(brand);
  const description = `Used ${brand} laptops from people near you.`;
  if (!newest) return { title, description };
  const { product_name, condition, resale_price, location, img } = newest;
  const laptop = `${product_name}, ${condition.toLowerCase()}, ${formatPrice(resale_price)} in ${location}`;
  return {
    title,
    description: shorten(`${description} The newest: ${laptop}.`, 155),
    image: { "": img, ":alt": product_name },
  };
}

function isFiltered(query: URLSearchParams): boolean {
  return Object.keys(searchOf(query)).length > 0;
}

/** Called by the server before rendering: an unknown category is a 404 (server/pages/site.ts). */
export const handle = {
  isEager: true,
  readsQuery: isFiltered,
  async lookUp({ id = "" }: { id?: string }, fetch: Connection["fetch"]) {
    return { status: (await findCategory(publicApi(fetch), { id })) === null ? 404 : 200 };
  },
};

/** Client-side navigation only needs the title. */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const category = await browserQueries
    .query({ ...queryOf(readCategory, { params }), staleTime: "static" })
    .catch(() => undefined);
  return category && { title: titleOf(category.product_category) };
}

function titleOf(brand: string): string {
  return `Products by Category: ${brand}`;
}
