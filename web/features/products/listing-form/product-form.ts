import type { UseFormReturn } from "react-hook-form";
import { z } from "zod";
import type { Answer } from "#contract/call.ts";
import {
  type FactName,
  type Facts,
  factsForm,
  type StatedFacts,
  toStatedFacts,
} from "#contract/facts.ts";
import { imageTypes, maxImageBytes, maxListingImages, wrongImageType } from "#contract/images.ts";
import type { Laptop } from "#contract/laptop-page.ts";
import type { readOwnProduct } from "#contract/own-product.ts";
import { addProductForm, futureYearMessage } from "#contract/products.ts";
import type { LaptopPhoto } from "./photo-uploads.ts";

/** Specification 5.3. Rejects a future year before the photo upload, not after it. */
export const productWithPhotoForm = addProductForm.extend({
  purchaseYear: addProductForm.shape.purchaseYear.refine(
    (year) => year <= new Date().getUTCFullYear(),
    { error: () => futureYearMessage(new Date()) },
  ),
  photo: z
    .custom<LaptopPhoto>((photo) => photo !== undefined, "Photo is Required.")
    .refine((photo) => "img" in photo || imageTypes.includes(photo.file.type), wrongImageType)
    .refine(
      (photo) => "img" in photo || photo.file.size <= maxImageBytes,
      "Choose a photo of up to 10 MB.",
    ),
  /** The URLs of the uploaded photos, without the cover. */
  pictures: z.array(z.string()),
});

type WithPhoto = z.input<typeof productWithPhotoForm>;
export type ProductForm = Omit<WithPhoto, "photo"> & { photo?: LaptopPhoto | undefined };
export type FilledProduct = z.output<typeof productWithPhotoForm>;

export type StoredListing = Answer<typeof readOwnProduct>;

/** For components that only show fields. */
export type ProductFields = Omit<UseFormReturn<ProductForm>, "handleSubmit" | "control">;

/**
 * Registers only `focus`, because the form must not read the input's value. Call this while
 * rendering: the first invalid field in registration order gets focus. Without `type`, the form
 * would publish its values on every render, and save a deleted draft again.
 */
export function registerFocus({ register }: ProductFields, name: "photo" | "pictures") {
  const { ref } = register(name);
  return (input: HTMLInputElement | null) =>
    ref(input && { type: name, focus: () => input.focus() });
}

export const productDraft = { name: "product", fields: productWithPhotoForm.keyof().options };

export function editDraft(id: string): typeof productDraft {
  return { ...productDraft, name: `product ${id}` };
}

export const factFormFields = factsForm.keyof().options;

export type ProductStep = {
  id: "photos" | "model" | "condition" | "price" | "contact";
  title: string;
  /** In display order. */
  fields: readonly (keyof ProductForm)[];
};

export const productSteps: readonly [ProductStep, ...ProductStep[]] = [
  { id: "photos", title: "Photos", fields: ["photo", "pictures"] },
  {
    id: "model",
    title: "Model and report",
    fields: ["productName", "category", "serialNumber", "transactionId", ...factFormFields],
  },
  {
    id: "condition",
    title: "Condition",
    fields: ["condition", "purchaseYear", "duration", "productDescription"],
  },
  { id: "price", title: "Price", fields: ["resalePrice", "originalPrice", "floor"] },
  { id: "contact", title: "Contact", fields: ["mobileNumber", "location"] },
];

/** Builds the request, without the photos (specification 5.3 and 7). */
export function toRequest(product: FilledProduct) {
  const typed = Object.fromEntries(factFormFields.map((name) => [name, product[name]]));
  const facts = toStatedFacts(typed as z.output<typeof factsForm>);
  return {
    product_categoryId: product.category,
    product_name: product.productName,
    condition: product.condition,
    resale_price: product.resalePrice,
    original_price: product.originalPrice,
    use_duration: product.duration,
    location: product.location,
    yearOf_purchase: product.purchaseYear,
    mobile_number: product.mobileNumber,
    description: product.productDescription,
    serial_number: product.serialNumber,
    transaction_id: product.transactionId || undefined,
    facts,
    machineFacts: unchangedFacts(facts, product.reported),
  };
}

export function toForm(listing: StoredListing): ProductForm {
  const { product, facts, images, floor } = listing;
  const [img = product.img, ...pictures] = images;
  const { screen_width, screen_height, cpu_family, cpu_generation, ports = [], ...rest } = facts;
  const typed = Object.entries(rest).map(([name, value]) => [name, String(value)]);
  return {
    productName: product.product_name,
    category: product.product_categoryId,
    condition: product.condition,
    resalePrice: String(product.resale_price),
    originalPrice: String(product.original_price),
    purchaseYear: String(product.yearOf_purchase),
    duration: String(product.use_duration),
    mobileNumber: product.mobile_number,
    location: product.location,
    productDescription: product.description,
    photo: { img },
    pictures,
    ...Object.fromEntries(typed),
    screen_resolution: screen_width === undefined ? "" : `${screen_width} × ${screen_height}`,
    ports: ports as ProductForm["ports"],
    reported: reportedBy(listing),
    floor: floor === null ? "" : String(floor),
  };
}

/** Form fields by request field, to show the server's error messages at the right field. */
export const formFieldOf: Record<string, keyof ProductForm> = {
  product_categoryId: "category",
  product_name: "productName",
  condition: "condition",
  resale_price: "resalePrice",
  original_price: "originalPrice",
  use_duration: "duration",
  location: "location",
  yearOf_purchase: "purchaseYear",
  mobile_number: "mobileNumber",
  description: "productDescription",
  serial_number: "serialNumber",
  transaction_id: "transactionId",
  img: "photo",
  images: "pictures",
  ...Object.fromEntries(
    Array.from({ length: maxListingImages }, (_, index) => [`images.${index}`, "pictures"]),
  ),
  "facts.screen_width": "screen_resolution",
  "facts.screen_height": "screen_resolution",
  ...Object.fromEntries(factFormFields.map((name) => [`facts.${name}`, name])),
};

/** The machine report's facts, as JSON so that the form's draft can store them. */
function reportedBy({ facts, origins }: Pick<Laptop, "facts" | "origins">): string {
  const known = Object.entries(facts).filter(([name]) => origins[name as FactName] === "machine");
  return known.length === 0 ? "" : JSON.stringify(Object.fromEntries(known));
}

export function withReported(reported: string, facts: Facts): string {
  return JSON.stringify({ ...readReported(reported), ...facts });
}

/** The names of facts that still have the values the machine reported; undefined if none. */
function unchangedFacts(facts: StatedFacts | undefined, reported: string): FactName[] | undefined {
  const names = Object.entries(readReported(reported))
    .filter(([name, value]) => facts?.[name as FactName] === value)
    .map(([name]) => name as FactName);
  return names.length === 0 ? undefined : names;
}

function readReported(reported: string): Partial<Facts> {
  return reported === "" ? {} : JSON.parse(reported);
}
