import { z } from "zod";
import { date } from "./call.ts";

/**
 * What was checked of a verified seller (decisions/verification): by an admin, that the email address is theirs, and who they
 * are by the card provider.
 */
export const sellerChecks = ["admin", "email", "identity"] as const;
export type SellerCheck = (typeof sellerChecks)[number];

/** Those of a verified seller; empty for others. */
export const checksOfSeller = z.array(z.enum(sellerChecks));

/** On what ground a seller is verified, as admins see it. */
export const verification = z.object({
  emailConfirmedAt: date.nullable(),
  /** Since when the card provider has said that it knows who the seller is. */
  identityCheckedAt: date.nullable(),
  /** When an admin verified them, and who; null unless it is recorded. */
  verifiedAt: date.nullable(),
  verifiedBy: z.string().nullable(),
  note: z.string().nullable(),
});

export type Verification = z.output<typeof verification>;

export const mostNoteLetters = 500;
