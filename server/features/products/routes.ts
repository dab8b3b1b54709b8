import { readFairPrice } from "#contract/fair-price.ts";
import * as laptops from "#contract/laptop-page.ts";
import { readOwnProduct as readOwnProductCall } from "#contract/own-product.ts";
import * as calls from "#contract/products.ts";
import * as searchCalls from "#contract/search.ts";
import * as sellerCalls from "#contract/sellers.ts";
import { networkOf } from "../../db/rate-limiter.ts";
import { answer, listed, ok, type Router } from "../../http/route-registration.ts";
import { fairPriceFor } from "../fair-price/fair-price.ts";
import { createLinkPreviews } from "../link-previews/link-previews.ts";
import { search, searchTurns } from "../search/search.ts";
import { listSuggestions } from "../search/typos-and-suggestions.ts";
import { kmBetween } from "../search-index/places.ts";
import { listSellerLaptops, readSeller } from "../sellers/sellers.ts";
import { takeDownProduct } from "./moderate-listing.ts";
import * as products from "./products.ts";
import { readOwnProduct, readProduct } from "./read-product.ts";

export function productRoutes({ route, deps }: Router): void {
  route(calls.listSellerProducts, async ({ params, query, tx }) =>
    listed(await products.listSellerProducts({ ...deps, db: tx }, params.email, query)),
  );

  route(calls.listOwnProductIds, async ({ caller, tx }) =>
    ok(await products.listOwnProductIds(tx, caller)),
  );

  route(readOwnProductCall, async ({ params, caller, tx }) =>
    ok(await readOwnProduct(tx, caller, { id: params.id, now: deps.clock.now() })),
  );

  route(calls.addProduct, async ({ body, caller }) =>
    answer.inserted(products.addProduct(deps, caller, body)),
  );

  route(calls.editProduct, async ({ params, body, caller }) =>
    answer.modified(products.editProduct(deps, caller, { id: params.id, changes: body })),
  );

  route(calls.toggleAdvertise, async ({ body, caller }) => {
    const { advertise } = await products.toggleAdvertise(deps, caller, body);
    return ok({ acknowledged: true as const, modifiedCount: 1 as const, advertise });
  });

  route(calls.takeDownProduct, async ({ body, caller }) =>
    answer.modified(takeDownProduct(deps, caller, body)),
  );

  route(calls.deleteProduct, async ({ params, caller }) =>
    answer.deleted(products.deleteProduct(deps, caller, params.id)),
  );
}

export function findingRoutes({ route, deps }: Router): void {
  route(calls.listAdvertisedProducts, async ({ query, tx }) =>
    listed(await products.listAvailable(tx, { advertised: true }, query)),
  );

  const turns = searchTurns;
  route(searchCalls.search, async ({ query, tx }) => ok(await search(deps, tx, query)), { turns });

  route(searchCalls.readDistance, async ({ query }) => ok({ km: kmBetween(query.from, query.to) }));

  route(
    searchCalls.listSuggestions,
    async ({ query, tx }) => ok({ items: await listSuggestions(deps, tx, query.q) }),
    { turns },
  );

  route(sellerCalls.readSeller, async ({ params, tx }) => ok(await readSeller(tx, params.id)));

  route(sellerCalls.listSellerLaptops, async ({ params, query, tx }) =>
    listed(await listSellerLaptops(tx, { ...params, ...query })),
  );
}

export function laptopRoutes({ route, deps }: Router): void {
  route(laptops.readProduct, async ({ params, tx }) =>
    ok(await readProduct({ ...deps, db: tx }, params.id)),
  );

  route(readFairPrice, async ({ query, tx }) =>
    ok({ range: await fairPriceFor({ ...deps, db: tx }, query) }),
  );

  const find = createLinkPreviews();
  // Any other version also gets the current preview, so caches must revalidate that response.
  route(laptops.drawLinkPreview, async ({ params: { id, version }, request }) => {
    const { jpeg, path } = await find(deps, id, networkOf(request.ip));
    const isCurrent = path === laptops.linkPreviewPath(id, version);
    const cacheControl = isCurrent ? "public, max-age=31536000, immutable" : "private, no-cache";
    return ok({ bytes: jpeg, type: "image/jpeg", cacheControl });
  });
}
