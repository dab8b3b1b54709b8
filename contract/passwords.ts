import { z } from "zod";
import { newUser } from "./members.ts";
import { email } from "./text.ts";

/** Specification 5.1. */
export const loginForm = z.object({
  email,
  password: z
    .string("Password is required.")
    .min(1, "Password is required.")
    .min(6, "Password must be 6 characters or longer."),
});

/** Specification 5.2. */
export const newPassword = z
  .string("Password is required.")
  .min(1, "Password is required.")
  .min(6, "Password must have uppercase number and special character.")
  .max(128, "Password must be 128 characters or shorter.")
  .regex(/^(?=.*[A-Z])(?=.*[!@#$&*])(?=.*\d).*$/s, "Password must be strong.");

export const signUpForm = newUser.extend({ password: newPassword });
