import { z } from "zod";
import { type Facts, factsForm, toStatedFacts } from "#contract/facts.ts";
import { imageTypes, maxImageBytes, wrongImageType } from "#contract/images.ts";
import { addProductForm, futureYearMessage, type ProductWithContact } from "#contract/products.ts";
import type { ChosenPhoto } from "./crop-photo.ts";

/**
 * The contract's fields and the photo (specification 5, Add Product). A future year is rejected here too,
 * because the server would reject it only after the photo upload.
 */
export const productWithPhotoForm = addProductForm.extend({
  purchaseYear: addProductForm.shape.purchaseYear.refine(
    (year) => year <= new Date().getUTCFullYear(),
    { error: () => futureYearMessage(new Date()) },
  ),
  photo: z
    .custom<ChosenPhoto>((photo) => photo !== undefined, "Photo is Required.")
    .refine(({ file }) => imageTypes.includes(file.type), wrongImageType)
    .refine(({ file }) => file.size <= maxImageBytes, "Choose a photo of up to 10 MB."),
});

/** The same for a listing that has a photo. */
export const changedProductForm = productWithPhotoForm.extend({
  photo: productWithPhotoForm.shape.photo.optional(),
});

export type ChangedProduct = z.output<typeof changedProductForm>;

export type ProductForm = z.input<typeof changedProductForm>;
export type FilledProduct = z.output<typeof productWithPhotoForm>;

/** All fields but the photo, which can't be stored as text. */
export const productDraft = { name: "product", fields: addProductForm.keyof().options };

export const factFormFields = factsForm.keyof().options;

/** Form fields to wire fields (specification 5 and 7). */
export function toRequest(product: Omit<FilledProduct, "photo">, img: string) {
  const { productName, category, condition, resalePrice, originalPrice, ...others } = product;
  const { purchaseYear, duration, mobileNumber, location, productDescription, ...facts } = others;
  return {
    product_categoryId: category,
    product_name: productName,
    condition,
    resale_price: resalePrice,
    original_price: originalPrice,
    use_duration: duration,
    location,
    yearOf_purchase: purchaseYear,
    mobile_number: mobileNumber,
    description: productDescription,
    img,
    facts: toStatedFacts(facts),
  };
}

/** A listing as the form shows it. */
export function toForm(product: ProductWithContact, facts: Facts): ProductForm {
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
    ...Object.fromEntries(typed),
    screen_resolution: screen_width === undefined ? "" : `${screen_width} × ${screen_height}`,
    ports: ports as ProductForm["ports"],
  };
}

/** Wire fields to form fields, for the server's error messages. */
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
  img: "photo",
  "facts.screen_width": "screen_resolution",
  "facts.screen_height": "screen_resolution",
  ...Object.fromEntries(factFormFields.map((name) => [`facts.${name}`, name])),
};
