import { z } from "zod";
import { date } from "./call.ts";

/**
 * Checks of a verified seller (decisions/verification). `admin`: an admin verified the seller.
 * `email`: the seller confirmed their address. `identity`: the card provider identified the seller.
 */
export const sellerChecks = ["admin", "email", "identity"] as const;
export type SellerCheck = (typeof sellerChecks)[number];

/** The checks of a verified seller; empty for other sellers. */
export const checksOfSeller = z.array(z.enum(sellerChecks));

/** The checks and the note behind a seller's verification, for admins. */
export const verification = z.object({
  emailConfirmedAt: date.nullable(),
  /** When the card provider identified the seller. */
  identityCheckedAt: date.nullable(),
  /** When an admin verified the seller, and that admin's name; null if not recorded. */
  verifiedAt: date.nullable(),
  verifiedBy: z.string().nullable(),
  note: z.string().nullable(),
});

export type Verification = z.output<typeof verification>;

export const mostNoteLetters = 500;
