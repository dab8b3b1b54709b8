import { type QueryClient, useQuery } from "@tanstack/react-query";
import { data as respond, useSearchParams } from "react-router";
import { listCategories } from "#contract/categories.ts";
import { CallError, type Connection } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { type Laptop, readProduct, type WithdrawnLaptop } from "#contract/laptops.ts";
import { linkPreviewSize } from "#contract/link-previews.ts";
import { formatPrice } from "#contract/price.ts";
import type { Product } from "#contract/products.ts";
import { publicApi, queryOf } from "#web/api/api.ts";
import { digestOf } from "#web/api/digest.ts";
import { queryForMarkup } from "#web/api/prefetch.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { CompareLink } from "#web/features/compare/CompareLink.tsx";
import { useMayBuy } from "#web/features/products/BookAndReport.tsx";
import { LaptopDetails } from "#web/features/products/LaptopDetails.tsx";
import { LaptopJsonLd } from "#web/features/products/LaptopJsonLd.tsx";
import { ProductGrid, useOwnProductIds } from "#web/features/products/ProductGrid.tsx";
import { VerifiedBadgePopover } from "#web/features/products/VerifiedBadge.tsx";
import { SaveButton } from "#web/features/saved/SaveButton.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { metaTags, notIndexed, type PageInfo } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { nextAttempt, ServerRendered, useHydratingMark } from "#web/ui/ServerRendered.tsx";
import { shorten } from "#web/ui/shorten.ts";
import "#web/features/products/laptop.css";
import { Link } from "react-router";
import type { Route } from "./+types/laptop.ts";
import { shouldRevalidate, useProductDialogs } from "./product-dialogs.tsx";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  const info = loaderData?.info ?? { title: "Page not found" };
  return [...metaTags(info, route), ...(info.description ? [] : [notIndexed])];
};

/** The id in the last part of the path. */
function laptopIdOf(part = ""): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=-|$)/i.exec(part)?.[0];
}

/** Called by the server before rendering: finds the laptop and its path (server/pages/site.ts). */
export const handle = {
  async lookUp({ laptop }: { laptop?: string }, fetch: Connection["fetch"]) {
    const id = laptopIdOf(laptop);
    if (id === undefined) return { status: 404 };
    try {
      const { body } = await publicApi(fetch)(readProduct, { params: { id } });
      return { status: 200, path: paths.laptop(body._id, body.product_name) };
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      return status === 404 || status === 410 ? { status } : { status: 200 };
    }
  },
};

export async function loader({ context, params }: Route.LoaderArgs) {
  const id = laptopIdOf(params.laptop);
  if (id === undefined) throw respond(null, { status: params.laptop === "gone" ? 410 : 404 });
  const queries = await queryForMarkup(context, (queries, api) =>
    Promise.all([
      queries.query(queryOf(readProduct, { params: { id } }, api)),
      queries.query(queryOf(listCategories, {}, api)),
      queries.prefetchQuery(queryOf(readConfig, {}, api)),
    ]),
  );
  return { digest: digestOfLaptop(queries, id), info: infoOf(queries, id) };
}

/** Waits for the laptop, because content that arrives later would shift the page. */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const id = laptopIdOf(params.laptop);
  if (id === undefined) throw respond(null, { status: 404 });
  const known = { staleTime: "static" } as const;
  await Promise.all([
    browserQueries.query(queryOf(readProduct, { params: { id } })).catch(throwIfMissing),
    browserQueries.prefetchQuery({ ...queryOf(listCategories, {}), ...known }),
  ]);
  return { digest: undefined, info: infoOf(browserQueries, id) };
}

export { shouldRevalidate };

function throwIfMissing(error: unknown): never {
  if (error instanceof CallError && (error.status === 404 || error.status === 410))
    throw respond(null, { status: error.status });
  throw error;
}

function laptopIn(queries: QueryClient, id: string): Laptop | WithdrawnLaptop | undefined {
  return queries.getQueryData(queryOf(readProduct, { params: { id } }).queryKey);
}

function infoOf(queries: QueryClient, id: string): PageInfo | undefined {
  const laptop = laptopIn(queries, id);
  if (!laptop) return undefined;
  const { product_name: name } = laptop;
  if (laptop.withdrawn) return { title: titleOf(name, " (no longer for sale)") };
  const price = formatPrice(laptop.resale_price);
  const state = laptop.sales_status === "sold" ? ", sold" : `, ${price}`;
  const title = titleOf(name, state);
  // Search engines and other sites read the preview only from the server's document.
  return import.meta.env.SSR ? { title, ...previewOf(laptop) } : { title };
}

function previewOf(laptop: Laptop): Omit<PageInfo, "title"> {
  const { product_name: name, condition, yearOf_purchase, location, linkPreview } = laptop;
  const isSold = laptop.sales_status === "sold";
  const price = formatPrice(laptop.resale_price);
  const offer = `${isSold ? "sold" : `for ${price}`} in ${location}`;
  return {
    description: shorten(
      `Used ${shorten(name, 70)} ${offer}: condition ${condition.toLowerCase()}, bought in ${yearOf_purchase}.`,
      155,
    ),
    image: {
      "": linkPreview,
      ":width": String(linkPreviewSize.width),
      ":height": String(linkPreviewSize.height),
      ":alt": `${name}, ${isSold ? "sold" : price}`,
    },
  };
}

/** At most 60 characters including the shop's name, because search engines show no more. */
function titleOf(name: string, state: string): string {
  return shorten(name, 48 - state.length) + state;
}

/** Undefined until everything has been read. */
function digestOfLaptop(queries: QueryClient, id: string): string | undefined {
  const laptop = laptopIn(queries, id);
  const categories = queries.getQueryData(queryOf(listCategories, {}).queryKey);
  return laptop && categories && digestOf([laptop, categories]);
}

const fetched = new Map<string, Promise<string>>();

function fetchOnce(id: string): Promise<string> {
  const promise = fetched.get(id) ?? fetchUntilRead(id);
  fetched.set(id, promise);
  return promise;
}

async function fetchUntilRead(id: string): Promise<string> {
  await Promise.all([
    browserQueries.prefetchQuery(queryOf(readProduct, { params: { id } })),
    browserQueries.prefetchQuery(queryOf(listCategories, {})),
  ]);
  const digest = digestOfLaptop(browserQueries, id);
  if (digest !== undefined) return digest;
  await nextAttempt();
  return await fetchUntilRead(id);
}

/** A laptop's public page. It stays up after the laptop is sold or withdrawn. */
export default function LaptopPage({ loaderData, params }: Route.ComponentProps) {
  const id = laptopIdOf(params.laptop) ?? "";
  return (
    <ServerRendered digest={loaderData?.digest} fetchAgain={() => fetchOnce(id)}>
      <KnownLaptop id={id} />
    </ServerRendered>
  );
}

function KnownLaptop({ id }: { id: string }) {
  const { data: laptop } = useQuery({
    ...queryOf(readProduct, { params: { id } }),
    ...freshFromLoader,
  });
  const { data: categories = [] } = useQuery({
    ...queryOf(listCategories, {}),
    ...freshFromLoader,
  });
  const mark = useHydratingMark();
  if (!laptop) return null;
  const category = categories.find(({ _id }) => _id === laptop.product_categoryId);
  const name = category?.product_category ?? "";
  return (
    <div {...mark}>
      <Breadcrumbs
        above={[
          { name: "Home", to: paths.home() },
          { name, to: paths.categoryProducts(laptop.product_categoryId) },
        ]}
        here={laptop.product_name}
      />
      {laptop.withdrawn ? (
        <Withdrawn laptop={laptop} />
      ) : (
        <Offered laptop={laptop} category={name} />
      )}
    </div>
  );
}

function Offered({ laptop, category }: { laptop: Laptop; category: string }) {
  const { similar, ...product } = laptop;
  const [query] = useSearchParams();
  // A sold laptop can still be reported, for example by its buyer.
  const hasDialog = laptop.sales_status === "available" || query.has("report");
  const dialogs = useProductDialogs(hasDialog ? [product, ...similar] : similar);
  const own = useOwnProductIds().has(laptop._id);
  const mayBuy = useMayBuy();
  return (
    <>
      <LaptopJsonLd laptop={laptop} category={category} />
      {dialogs.notice}
      <LaptopDetails
        laptop={laptop}
        own={own}
        actions={
          <>
            <SaveButton id={laptop._id} />
            <CompareLink id={laptop._id} />
            {mayBuy && !own && laptop.sales_status !== "sold" && <Asks laptop={laptop} />}
          </>
        }
        onBook={() => dialogs.onBook(product)}
        onReport={() => dialogs.onReport(product)}
      />
      <Similar products={similar} {...dialogs} />
      {dialogs.dialog}
    </>
  );
}

/** Links to ask the seller or make an offer. */
function Asks({ laptop: { _id, sales_status } }: { laptop: Laptop }) {
  return (
    <div className="laptop-asks">
      <Link to={`${paths.messages()}?about=${_id}`} className={buttonClass({ look: "plain" })}>
        <Icon name="mail" className="size-4" />
        Ask the seller
      </Link>
      {sales_status === "available" && (
        <Link to={`${paths.offers()}?about=${_id}`} className={buttonClass({ look: "plain" })}>
          <Icon name="tag" className="size-4" />
          Make an offer
        </Link>
      )}
    </div>
  );
}

function Withdrawn({
  laptop: { product_name, product_categoryId, similar },
}: {
  laptop: WithdrawnLaptop;
}) {
  const dialogs = useProductDialogs(similar);
  return (
    <>
      {dialogs.notice}
      <h1 className="text-title">{product_name}</h1>
      <p className="mt-2 mb-6 text-muted">This laptop is no longer for sale.</p>
      <Link to={paths.categoryProducts(product_categoryId)} className={buttonClass()}>
        See other laptops
      </Link>
      <Similar products={similar} {...dialogs} />
      {dialogs.dialog}
    </>
  );
}

type SimilarProps = {
  products: Product[];
  onBook: (product: Product) => void;
  onReport: (product: Product) => void;
};

function Similar({ products, onBook, onReport }: SimilarProps) {
  if (products.length === 0) return <VerifiedBadgePopover />;
  return (
    <section aria-labelledby="similar-title" className="mt-16">
      <h2 id="similar-title" className="mb-6 text-title">
        Similar laptops
      </h2>
      <ProductGrid products={products} onBook={onBook} onReport={onReport} />
    </section>
  );
}
