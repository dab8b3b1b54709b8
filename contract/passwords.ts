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

const minLength = 6;

/** The characters that a new password must contain, as regular expressions, and their names. */
const requiredCharacters = [
  ["[A-Z]", "an uppercase letter"],
  ["[0-9]", "a digit"],
  ["[!@#$&*]", "one of !@#$&*"],
] as const;

const strong = new RegExp(`^${requiredCharacters.map(([one]) => `(?=.*${one})`).join("")}.*$`, "s");

/** Specification 5.2. */
export const newPassword = z
  .string("Password is required.")
  .min(1, "Password is required.")
  .min(minLength, "Password must have uppercase number and special character.")
  .max(128, "Password must be 128 characters or shorter.")
  .regex(strong, "Password must be strong.");

/** Lists what a new password lacks, because the specification's messages don't say. */
export function listMissing(password: string): string[] {
  return [
    ...(password.length < minLength ? [`at least ${minLength} characters`] : []),
    ...requiredCharacters
      .filter(([one]) => !new RegExp(one).test(password))
      .map(([, name]) => name),
  ];
}

export const signUpForm = newUser.extend({ password: newPassword });
