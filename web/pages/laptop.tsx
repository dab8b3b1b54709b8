import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { Link, data as respond, useSearchParams } from "react-router";
import type { Connection } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import {
  type Laptop,
  linkPreviewSize,
  readProduct,
  type WithdrawnLaptop,
} from "#contract/laptops.ts";
import { formatPrice } from "#contract/price.ts";
import { type Api, publicApi, queryOf } from "#web/api/api.ts";
import { browserQueries, freshFromLoader } from "#web/api/query-client.ts";
import { LaptopJsonLd } from "#web/features/products/JsonLd.tsx";
import { LaptopDetails } from "#web/features/products/LaptopDetails.tsx";
import { ProductGrid, useOwnProductIds } from "#web/features/products/ProductGrid.tsx";
import { VerifiedBadgePopover } from "#web/features/products/VerifiedBadge.tsx";
import { SaveButton } from "#web/features/saved/SaveButton.tsx";
import { Breadcrumbs } from "#web/features/site/Breadcrumbs.tsx";
import { metaTags, notIndexed, type PageInfo } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import {
  fetchPageData,
  type PageData,
  ServerRendered,
  useHydratingMark,
} from "#web/start/markup.tsx";
import { lookUp, requireRead } from "#web/start/missing.ts";
import { configForMarkup, readForMarkup } from "#web/start/read-for-markup.ts";
import { buttonClass } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { shorten } from "#web/ui/shorten.ts";
import type { Route } from "./+types/laptop.ts";
import { shouldRevalidate, useProductDialogs } from "./product-dialogs.tsx";
import "#web/features/products/laptop.css";

export const meta = ({ loaderData, ...route }: Route.MetaArgs) => {
  const info = loaderData?.info ?? { title: "Page not found" };
  return [...metaTags(info, route), ...(info.description ? [] : [notIndexed])];
};

/** The id in the last part of the path. */
function laptopIdOf(part = ""): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=-|$)/i.exec(part)?.[0];
}

const laptopQuery = (id: string, api?: Api) => queryOf(readProduct, { params: { id } }, api);

const page: PageData<string> = {
  queriesOf: (id, api) => [laptopQuery(id, api)],
};

/** Called by the server before rendering: finds the laptop and its path (server/pages/site.ts). */
export const handle = {
  async lookUp({ laptop }: { laptop?: string }, fetch: Connection["fetch"]) {
    const id = laptopIdOf(laptop);
    if (id === undefined) return { status: 404 };
    return await lookUp(async () => {
      const { body } = await publicApi(fetch)(readProduct, { params: { id } });
      return paths.laptop(body._id, body.product_name);
    });
  },
};

export async function loader({ context, params }: Route.LoaderArgs) {
  const id = laptopIdOf(params.laptop);
  if (id === undefined) throw respond(null, { status: params.laptop === "gone" ? 410 : 404 });
  // The page states the complaint period if the settings can be read.
  const config = await configForMarkup(context).catch(() => undefined);
  const { queries, digest } = await readForMarkup(context, page, id);
  const info = laptopInfo(queries.getQueryData(laptopQuery(id).queryKey));
  return { digest, info, complaintHours: config?.complaintHours };
}

export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  const id = laptopIdOf(params.laptop);
  if (id === undefined) throw respond(null, { status: 404 });
  const reading = browserQueries.query({ ...queryOf(readConfig, {}), staleTime: "static" });
  const [config] = await Promise.all([reading.catch(() => undefined), fetchPageData(page, id)]);
  requireRead(laptopQuery(id));
  const info = laptopInfo(browserQueries.getQueryData(laptopQuery(id).queryKey));
  return { digest: undefined, info, complaintHours: config?.complaintHours };
}

export { shouldRevalidate };

/** Stays up after the laptop is sold or withdrawn. */
export default function LaptopPage({ loaderData, params }: Route.ComponentProps) {
  const id = laptopIdOf(params.laptop) ?? "";
  return (
    <ServerRendered page={page} pageKey={id} digest={loaderData?.digest}>
      <LaptopContent id={id} complaintHours={loaderData?.complaintHours} />
    </ServerRendered>
  );
}

type LaptopContentProps = { id: string; complaintHours: number | undefined };

function LaptopContent({ id, complaintHours }: LaptopContentProps) {
  const { data: laptop } = useQuery({ ...laptopQuery(id), ...freshFromLoader });
  const mark = useHydratingMark();
  if (!laptop) return null;
  return (
    <div {...mark}>
      <Breadcrumbs
        above={[
          { name: "Home", to: paths.home() },
          { name: laptop.category, to: paths.categoryProducts(laptop.product_categoryId) },
        ]}
        here={laptop.product_name}
      />
      {laptop.withdrawn ? (
        <Withdrawn laptop={laptop} />
      ) : (
        <Offered laptop={laptop} complaintHours={complaintHours} />
      )}
    </div>
  );
}

type OfferedProps = { laptop: Laptop; complaintHours: number | undefined };

function Offered({ laptop, complaintHours }: OfferedProps) {
  const { similar, ...product } = laptop;
  const [query] = useSearchParams();
  // A sold laptop can still be reported, for example by its buyer.
  const hasDialog = laptop.sales_status === "available" || query.has("report");
  const dialogs = useProductDialogs(hasDialog ? [product, ...similar] : similar);
  const own = useOwnProductIds().has(laptop._id);
  return (
    <>
      <LaptopJsonLd laptop={laptop} />
      {dialogs.notice}
      <LaptopDetails
        laptop={laptop}
        own={own}
        complaintHours={complaintHours}
        actions={
          <>
            <SaveButton id={laptop._id} />
            {/* Adds the laptop to this tab's last comparison. */}
            <Link
              to={`${paths.compare()}?ids=${laptop._id}&add=`}
              rel="nofollow"
              className={buttonClass({ look: "quiet" })}
            >
              <Icon name="arrow-left-right" className="size-4" />
              Compare
            </Link>
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

function Withdrawn({ laptop }: { laptop: WithdrawnLaptop }) {
  const { product_name, product_categoryId, similar } = laptop;
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

function Similar({ products, onBook, onReport }: ComponentProps<typeof ProductGrid>) {
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

function laptopInfo(laptop: Laptop | WithdrawnLaptop | undefined): PageInfo | undefined {
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

/** Search engines show about 60 characters, so this leaves 12 for " · " and the shop's name. */
function titleOf(name: string, state: string): string {
  return shorten(name, 48 - state.length) + state;
}
