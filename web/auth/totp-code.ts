import { z } from "zod";

/** A code of an authenticator app, which shows it with a blank in the middle. */
export const appCode = z
  .string()
  .transform((code) => code.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the six-digit code from your app."));
