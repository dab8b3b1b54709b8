import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Control, useWatch } from "react-hook-form";
import type { Request } from "#contract/call.ts";
import { pricedFactNames, readFairPrice } from "#contract/fair-price.ts";
import { formatPrice } from "#contract/price.ts";
import { addProductForm } from "#contract/products.ts";
import { browserApi, queryOf } from "#web/api/api.ts";
import { textOfRange } from "../FairPrice.tsx";
import type { FilledProduct, ProductForm } from "./product-form.ts";

type Asked = NonNullable<Request<typeof readFairPrice>["query"]>;

const { shape } = addProductForm;

const typingPauseMs = 400;

type FairPriceHintProps = { control: Control<ProductForm, unknown, FilledProduct> };

/** Shown once the fields that the estimate needs are valid. */
export function FairPriceHint({ control }: FairPriceHintProps) {
  const asked = useWatch({ control, compute: askedBy });
  const request = { query: asked ?? ({} as Asked) };
  const { data } = useQuery({
    ...queryOf(readFairPrice, request),
    // Aborts when the query key changes, so only the last pause leads to a request.
    queryFn: async ({ signal }) => {
      await pause(typingPauseMs, signal);
      return (await browserApi(readFairPrice, request)).body;
    },
    enabled: asked !== undefined,
    retry: false,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  if (!asked || !data) return null;
  if (!data.range)
    return (
      <p role="status" className="text-muted text-sm sm:col-span-2">
        Not enough laptops like this have been sold here yet to say what they sell for.
      </p>
    );
  const { low, high } = data.range;
  return (
    <p
      role="status"
      className="rounded-field bg-secondary px-4 py-3 text-secondary-content sm:col-span-2"
    >
      <strong>{`Most sell for ${formatPrice(low)} to ${formatPrice(high)}.`}</strong>
      {` ${textOfRange(data.range)}.`}
    </p>
  );
}

const required = {
  name: "productName",
  category: "category",
  condition: "condition",
  originalPrice: "originalPrice",
  useDuration: "duration",
  yearOfPurchase: "purchaseYear",
} as const;

/** Undefined until all required values are valid. Omits facts that are not valid yet. */
function askedBy(form: ProductForm): Asked | undefined {
  const fields = [
    ...Object.entries(required),
    ...pricedFactNames.map((name) => [name, name] as const),
  ];
  const asked = fields.flatMap(([name, field]) => {
    const value = String(form[field] ?? "").trim();
    return value !== "" && shape[field].safeParse(value).success ? [[name, value]] : [];
  });
  const given = Object.fromEntries(asked);
  return Object.keys(required).every((name) => name in given) ? given : undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
