import { z } from "zod";
import { byId, call, date, deleted, id, ignored, inserted } from "./call.ts";
import { productWithContact } from "./products.ts";
import { paragraphs } from "./text.ts";

/** An admin's view of a report (specification 3). */
export const report = z.object({
  _id: id,
  name: z.string(),
  email: z.string(),
  comment: z.string(),
  reportedAt: date,
  /** False if the product was deleted or taken down. */
  listed: z.boolean(),
  history: z.object({
    /** `dismissed`: closed without taking the listing down. */
    reporter: z.object({ reports: z.number(), dismissed: z.number() }),
    seller: z.object({ listings: z.number(), reports: z.number(), takenDown: z.number() }),
  }),
  reportProduct: productWithContact,
});

export type Report = z.output<typeof report>;

export const newReport = z.object({
  name: ignored,
  email: ignored,
  comment: paragraphs("Tell us what is wrong with this item.", 2000),
  reportProduct: byId,
});

export const reportProduct = call("POST /reportedProducts", {
  access: "buyer",
  summary: "Report a product to the admins",
  changes: ["reports"],
  body: newReport,
  limit: { max: 30, minutes: 60 },
  answers: { 201: inserted },
  refusals: ["ALREADY_REPORTED", "NOT_FOUND"],
});

export const listReports = call("GET /reportedProducts", {
  access: "moderation",
  summary: "The reported items, newest first",
  reads: ["reports", "products"],
  replica: true,
  paged: true,
  answers: { 200: z.array(report) },
});

export const deleteReport = call("DELETE /reportedProducts/{id}", {
  access: "moderation",
  summary: "Close a report; its audit rows stay",
  changes: ["reports"],
  limit: { max: 600, minutes: 60 },
  answers: { 200: deleted },
});
