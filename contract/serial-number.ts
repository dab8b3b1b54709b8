import { z } from "zod";

const wrong =
  "A serial number has 4 to 40 letters and digits, such as PF2X1A3B. Leave it out if you don't know it.";

/** A serial number in capitals without spaces. Serial numbers use both O and 0, so both stay. */
export const serialNumber = z
  .string(wrong)
  .max(80, wrong)
  .transform((value) => value.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase())
  .refine((value) => /^[A-Z0-9](?:[-./]?[A-Z0-9]){3,39}$/.test(value) && value.length <= 40, wrong);
