import { z } from "zod";

const wrong =
  "A serial number has 4 to 40 letters and digits, such as PF2X1A3B. Leave it out if you don't know it.";

/** A machine's serial number in capitals without spaces. O and 0 stay different, because in serial numbers they are. */
export const serialNumber = z
  .string(wrong)
  .max(80, wrong)
  .transform((value) => value.normalize("NFKC").replaceAll(/\s/g, "").toUpperCase())
  .refine((value) => /^[A-Z0-9](?:[-./]?[A-Z0-9]){3,39}$/.test(value) && value.length <= 40, wrong);
