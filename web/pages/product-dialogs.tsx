import { lazy, Suspense, useState } from "react";
import { type ShouldRevalidateFunctionArgs, useLocation, useSearchParams } from "react-router";
import { propertyOf } from "#contract/client.ts";
import type { Product } from "#contract/products.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";

const dialogNames = ["book", "report"] as const;
export type DialogName = (typeof dialogNames)[number];

/** The URL contains the open dialog, so that it survives login and Back closes it. */
export function useProductDialogs(products: Product[]) {
  const [query, setQuery] = useSearchParams();
  const open = (dialog: DialogName) => (product: Product) =>
    setQuery((known) => withDialog(known, dialog, product._id), { preventScrollReset: true });
  // The close event may arrive after another dialog has opened.
  const close =
    (dialog: DialogName, { _id }: Product) =>
    () => {
      if (new URLSearchParams(location.search).get(dialog) === _id)
        setQuery((known) => withDialog(known), { replace: true, preventScrollReset: true });
    };
  const { state } = useLocation();
  // Remembered, because the booked laptop leaves the list before the orders page has loaded.
  const [booked, setBooked] = useState<Product>();
  // Cached pages are rendered without a query, and hydration must match their markup.
  const isHydrated = useHydrated();
  const dialog = isHydrated ? dialogNames.find((name) => query.has(name)) : undefined;
  const product = products.find(({ _id }) => dialog && _id === query.get(dialog));
  const isGone = dialog !== undefined && !product && query.get(dialog) !== booked?._id;
  const withoutDialog = `?${withDialog(query)}`;
  return {
    onBook: open("book"),
    onReport: open("report"),
    /** A note if the chosen laptop isn't among the products. */
    notice: (isGone || propertyOf(state, "gone") === true) && (
      <Suspense>
        <UnavailableSelection isGone={isGone} withoutDialog={withoutDialog} />
      </Suspense>
    ),
    dialog: dialog && product && (
      <Suspense>
        <ProductDialog
          key={`${dialog} ${product._id}`}
          dialog={dialog}
          product={product}
          withoutDialog={withoutDialog}
          onClose={close(dialog, product)}
          onBooked={() => setBooked(product)}
        />
      </Suspense>
    ),
  };
}

function withDialog(query: URLSearchParams, dialog?: DialogName, id = "") {
  const changed = new URLSearchParams(query);
  for (const name of dialogNames) changed.delete(name);
  if (dialog) changed.set(dialog, id);
  return changed;
}

/** Opening or closing a dialog only changes the query, so nothing is reloaded. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search;
}

const ProductDialog = lazy(() => import("./ProductDialog.tsx"));

const UnavailableSelection = lazy(async () => ({
  default: (await import("./ProductDialog.tsx")).UnavailableSelection,
}));
