import { z } from "zod";
import { call, date, id, page, resources } from "./call.ts";
import { email } from "./text.ts";

export const auditObjects = [
  "member",
  "product",
  "booking",
  "payment",
  "report",
  "image",
  "invitation",
  "conversation",
  "review",
  "offer",
  "journal",
  "shop",
  "category",
] as const;
export type AuditObject = (typeof auditObjects)[number];

export const auditEntry = z.object({
  _id: z.string(),
  at: date,
  /** The member who acted; null for the system and the operator. */
  actor: z
    .object({ _id: id, name: z.string(), email: z.string(), isAdmin: z.boolean() })
    .nullable(),
  verb: z.string(),
  object: z.enum(auditObjects),
  objectId: id,
  /** The name of the member, category or laptop concerned; null if there is none. */
  objectName: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

export type AuditEntry = z.output<typeof auditEntry>;

/** `email` finds entries whose actor or object is the member with that address. */
export const auditFilter = z.object({
  email: email.optional(),
  object: z.enum(auditObjects).optional(),
  objectId: id.optional(),
});

export const listAuditLog = call("GET /auditLog", {
  access: "owner",
  summary: "The audit log, newest first, filtered by member and object",
  reads: resources,
  replica: true,
  query: page.extend({
    ...auditFilter.shape,
    cursor: z
      .string()
      .regex(/^\d{1,18}$/, "There is no such page. Start again from the first one.")
      .optional(),
  }),
  paged: true,
  answers: { 200: z.array(auditEntry) },
});
