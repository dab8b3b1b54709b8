import { createHash } from "node:crypto";
import { z } from "zod";

/** `verified` becomes the `email_verified` claim. */
export type Account = { name: string; email: string; verified: boolean };

/** Two people without an account at the shop, and the demo seller. */
export const accounts: Account[] = [
  { name: "Alex Moreau", email: "alex.moreau@gmail.test", verified: true },
  { name: "Sofia Brandt", email: "sofia.brandt@gmail.test", verified: true },
  { name: "Marta Lindqvist", email: "seller@demo.test", verified: true },
];

/** Cancel, a listed account, or another account. */
export const chooserForm = z.union([
  z.object({ cancel: z.string() }),
  z.object({ person: z.enum(accounts.map(({ email }) => email)) }),
  z.object({
    name: z.string().trim().min(1).max(80),
    email: z.string().trim().toLowerCase().pipe(z.email()),
    verified: z.literal("on").optional(),
  }),
]);

export function selectedAccount(form: z.output<typeof chooserForm>): Account | undefined {
  if ("person" in form) return accounts.find(({ email }) => email === form.person);
  if ("cancel" in form) return undefined;
  return { name: form.name, email: form.email, verified: form.verified === "on" };
}

/** `sub` has 21 digits and is derived from the email address. */
export function claimsOf({ name, email, verified }: Account) {
  const hash = BigInt(`0x${createHash("sha256").update(email).digest("hex")}`);
  const sub = `1${String(hash % 10n ** 20n).padStart(20, "0")}`;
  return { sub, name, email, email_verified: verified };
}
