import { z } from "zod";
import { date } from "./call.ts";

/**
 * Checks of a verified seller (decisions/verification). `admin`: an admin verified them. `email`:
 * they confirmed their address. `identity`: the card provider identified them.
 */
export const sellerChecks = ["admin", "email", "identity"] as const;
export type SellerCheck = (typeof sellerChecks)[number];

/** The checks of a verified seller; empty for others. */
export const checksOfSeller = z.array(z.enum(sellerChecks));

/** The checks and the note behind a seller's verification, for admins. */
export const verification = z.object({
  emailConfirmedAt: date.nullable(),
  /** When the card provider identified the seller. */
  identityCheckedAt: date.nullable(),
  /** When an admin verified them, and which one; null if that is not recorded. */
  verifiedAt: date.nullable(),
  verifiedBy: z.string().nullable(),
  note: z.string().nullable(),
});

export type Verification = z.output<typeof verification>;

export const mostNoteLetters = 500;
