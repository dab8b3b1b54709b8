import { z } from "zod";

/** Apps show the code with a space in the middle. */
export const appCode = z
  .string()
  .transform((code) => code.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the six-digit code from your app."));
