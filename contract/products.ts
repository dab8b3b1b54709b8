import { z } from "zod";
import { cacheTags } from "./cache-tags.ts";
import { call, date, deleted, id, ignored, inserted, modified, ownPage } from "./call.ts";
import {
  factNames,
  factOrigins,
  facts,
  factsForm,
  machineFacts,
  statedFacts,
  typedText,
} from "./facts.ts";
import { maxListingImages } from "./images.ts";
import { bookingStates, disputeStates, listingStatuses, salesStatuses } from "./life-cycle.ts";
import { meeting } from "./meetings.ts";
import { checksOfSeller } from "./members.ts";
import { dollars, partRefund, priceRange, typedDollars } from "./price-schemas.ts";
import { rating } from "./reviews.ts";
import { email, paragraphs, phone, plainName, text, typedWhole, whole } from "./text.ts";

const wrong =
  "A serial number has 4 to 40 letters and digits, such as PF2X1A3B. Leave it out if you don't know it.";

/** In capitals without spaces. It can contain both O and 0, so both are kept. */
const serialNumber = z
  .string(wrong)
  .max(80, wrong)
  .transform((value) => value.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase())
  .refine((value) => /^[A-Z0-9](?:[-./]?[A-Z0-9]){3,39}$/.test(value) && value.length <= 40, wrong);

/** Specification 9. */
export const conditions = ["Excellent", "Good", "Fair"] as const;
export type Condition = (typeof conditions)[number];

export const conditionDescriptions: Record<Condition, string> = {
  Excellent: "Looks almost new. Everything works.",
  Good: "Light signs of use. Everything works.",
  Fair: "Well used. Works, apart from any faults in the description.",
};

/** The public product (specification 3). */
export const product = z.object({
  _id: id,
  product_categoryId: id,
  product_name: z.string(),
  condition: z.enum(conditions),
  resale_price: z.number(),
  original_price: z.number(),
  /** In months. */
  use_duration: z.number(),
  location: z.string(),
  seller_name: z.string(),
  postedAt: date,
  yearOf_purchase: z.number(),
  description: z.string(),
  img: z.string(),
  /** For `previewUrl`; null for photos on an image host, and from before previews existed. */
  img_preview: z.string().nullable(),
  sales_status: z.enum(salesStatuses),
  advertise: z.boolean(),
  verify: z.boolean(),
  sellerChecks: checksOfSeller,
  /** By buyers; null without reviews. */
  sellerRating: rating.nullable(),
  /** Percent of the original capacity; null if unknown. */
  batteryHealth: z.number().nullable(),
});

/** The view for the seller, admins, and the buyer of a live booking. */
export const productWithContact = product.extend({
  sales_status: z.enum(listingStatuses),
  sellerEmail: z.string(),
  mobile_number: z.string(),
});

/** The seller's view, with the live booking and the buyer's contact details. */
export const ownProduct = productWithContact.extend({
  /** The serial number's last four characters; null if there is no number. */
  serial_end: z.string().nullable(),
  deal: z
    .object({
      bookingId: id,
      state: z.enum(bookingStates),
      /** The agreed price in dollars. */
      price: z.number(),
      /** The shop's fee and the seller's share, which add up to the price minus refunds. */
      fee: z.number(),
      gets: z.number(),
      heldUntil: date,
      name: z.string(),
      email: z.string(),
      phone: z.string(),
      /** Where the buyer would like to meet. */
      location: z.string(),
      meeting: meeting.nullable(),
      partRefund: partRefund.nullable(),
      dispute: z.enum(disputeStates).nullable(),
      /** When the buyer must return the laptop; null if no refund waits for a return. */
      returnBy: date.nullable(),
      /** `answerBy`: the seller's deadline; null once the complaint is answered or decided. */
      complaint: z.object({ answerBy: date.nullable() }).nullable(),
      paidOut: z.boolean(),
      mayReview: z.boolean(),
      buyerRating: rating.nullable(),
    })
    .nullable(),
});

export const productDetails = {
  /** The category's name, even if the category is hidden. */
  category: z.string(),
  /** The cover (`img`) first. */
  images: z.array(z.string()),
  facts,
  origins: z.partialRecord(z.enum(factNames), z.enum(factOrigins)),
};

export type OwnProduct = z.output<typeof ownProduct>;
export type Product = z.output<typeof product>;
export type ProductWithContact = z.output<typeof productWithContact>;

export function futureYearMessage(now: Date): string {
  return `Year of purchase can't be after ${now.getUTCFullYear()}.`;
}

const months = {
  min: 0,
  required: "Duration of use is required.",
  notWhole: "Duration of use must be a whole number of months, such as 18.",
  tooLow: "Duration of use can't be less than 0 months.",
  most: { max: 600, tooHigh: "Duration of use can't be more than 600 months." },
};
const purchaseYear = {
  min: 1985,
  required: "Year of purchase is required.",
  notWhole: "Year of purchase must be a whole number, such as 2022.",
  tooLow: "Year of purchase can't be before 1985.",
};

/** The lowest price in dollars. The shop declines new offers below it. Buyers never see it. */
export const floor = dollars("Lowest price", priceRange).nullable();

const imageAddress = text("Photo is Required.", 500);

/** The fields that a seller sends (specification 5.3). The server sets all others. */
export const newProduct = z.object({
  product_categoryId: z.uuid("Choose a category.").toLowerCase(),
  product_name: plainName("Name is Required.", 120),
  condition: z.enum(conditions, "Choose a condition: Excellent, Good or Fair."),
  resale_price: dollars("Resale price", priceRange),
  original_price: dollars("Original price", priceRange),
  use_duration: whole(months),
  location: text("Location is required.", 120),
  yearOf_purchase: whole(purchaseYear),
  mobile_number: phone("Mobile number is required."),
  description: paragraphs("Product description is required.", 4000),
  img: imageAddress,
  /**
   * In order, the cover (`img`) first. Without this list, a new listing has only the cover, and an
   * edited listing keeps its other photos.
   */
  images: z
    .array(imageAddress, "images must be a list of addresses.")
    .min(1, "Photo is Required.")
    .max(maxListingImages, `Use at most ${maxListingImages} photos.`)
    .optional(),
  facts: statedFacts.nullish(),
  /** If missing, the stored floor stays unchanged. If null, it is removed. */
  floor: floor.optional(),
  /** The shop stores only its hash and its last four characters. Null removes the number. */
  serial_number: serialNumber.nullish(),
  /** From this laptop's earlier sale here, as proof that the seller bought it. */
  transaction_id: z.string().trim().max(255, "That is no transaction ID.").optional(),
  machineFacts,
  sellerEmail: ignored,
  seller_name: ignored,
  postedAt: ignored,
  sales_status: ignored,
  advertise: ignored,
  verify: ignored,
});

/** The Add Product form with its field names from specification 5.3, and the facts. */
export const addProductForm = z.object({
  productName: newProduct.shape.product_name,
  category: newProduct.shape.product_categoryId,
  condition: newProduct.shape.condition,
  resalePrice: typedDollars("Resale price", priceRange),
  originalPrice: typedDollars("Original price", priceRange),
  purchaseYear: typedWhole(purchaseYear),
  duration: typedWhole(months),
  mobileNumber: newProduct.shape.mobile_number,
  location: newProduct.shape.location,
  productDescription: newProduct.shape.description,
  /** An empty field removes the floor. */
  floor: z
    .string()
    .trim()
    .transform((typed) => (typed === "" ? null : Number(typed)))
    .pipe(floor)
    .prefault(""),
  serialNumber: typedText(serialNumber.optional()),
  transactionId: z.string().trim().default(""),
  ...factsForm.shape,
  /** Facts from the laptop's own report, as JSON. */
  reported: z.string().default(""),
});

/** Includes the next page's first product: if it leaves, this page may be the last. */
export function productTags({ body, following }: ListedProducts): string[] {
  const ids = (body as Pick<Product, "_id">[]).map(({ _id }) => _id);
  return [...ids, ...(following === undefined ? [] : [following])].map(cacheTags.product);
}

type ListedProducts = { body: unknown; following: string | undefined };

export const listAdvertisedProducts = call("GET /advertisedProducts", {
  access: "public",
  summary: "The advertised products that are available, newest first",
  reads: ["products"],
  replica: true,
  cacheTags: (answer) => [cacheTags.advertised, ...productTags(answer)],
  paged: true,
  answers: { 200: z.array(product) },
});

export const listSellerProducts = call("GET /products/{email}", {
  access: "self",
  summary: "A seller's own products in every status, each with its live booking",
  reads: ["products", "bookings"],
  params: z.object({ email }),
  query: ownPage,
  paged: true,
  answers: { 200: z.array(ownProduct) },
});

export const listOwnProductIds = call("GET /ownProducts", {
  access: "seller",
  summary: "The ids of the seller's newest 10,000 products, to recognize them on public pages",
  reads: ["products"],
  answers: { 200: z.array(id) },
});

export const addProduct = call("POST /products", {
  access: "seller",
  summary: "List a laptop for sale",
  changes: ["products"],
  body: newProduct,
  confirmed: true,
  limit: { max: 60, minutes: 60 },
  answers: { 201: inserted },
  refusals: [
    "ALREADY_LISTED",
    "IMAGE_NOT_OURS",
    "NOT_AN_IMAGE",
    "TOO_LARGE",
    "SELLER_NOT_VERIFIED",
  ],
});

export const editProduct = call("PUT /products/{id}", {
  access: "seller",
  openWhileClosed: true,
  summary: "Change one of your listings while it is available; its price changes are kept",
  changes: ["products"],
  /** A missing field keeps its value. */
  body: newProduct
    .partial()
    .refine((sent) => Object.keys(sent).length > 0, "Change at least one field."),
  confirmed: true,
  limit: { max: 120, minutes: 60 },
  answers: { 200: modified },
  refusals: ["ALREADY_LISTED", "IN_USE", "IMAGE_NOT_OURS", "NOT_AN_IMAGE", "TOO_LARGE"],
});

export const toggleAdvertise = call("PUT /products", {
  access: "seller",
  summary: "Advertise one of your products, or stop; send the current value",
  changes: ["products"],
  body: z.object({
    id,
    advertiseStatus: z.boolean("Send the current advertise value, true or false."),
  }),
  limit: { max: 300, minutes: 60 },
  answers: { 200: modified.extend({ advertise: z.boolean() }) },
  refusals: ["STALE", "NOT_FOUND"],
});

export const takeDownForm = z.object({
  reason: paragraphs("Write why you are taking this listing down.", 500),
});

export const takeDownProduct = call("PUT /products/takedown", {
  access: "moderation",
  summary: "Take a listing down, with a reason; an unpaid hold on it ends",
  changes: ["products", "bookings"],
  body: takeDownForm.extend({ id }),
  limit: { max: 300, minutes: 60 },
  answers: { 200: modified },
  refusals: ["IN_USE", "NOT_FOUND", "PROVIDER_UNAVAILABLE"],
});

export const deleteProduct = call("DELETE /products/{id}", {
  access: "member",
  summary: "Delete a product, as its seller or an admin",
  changes: ["products"],
  limit: { max: 300, minutes: 60 },
  answers: { 200: deleted },
  refusals: ["IN_USE"],
});
