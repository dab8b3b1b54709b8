import { createHash } from "node:crypto";
import { z } from "zod";

/** Somebody with an account at Google; `verified` is whether Google knows the address to be theirs. */
export type Person = { name: string; email: string; verified: boolean };

/** Who is there to choose: somebody new to the shop, and a seller of its demo data. */
export const people: Person[] = [
  { name: "Alex Moreau", email: "alex.moreau@gmail.test", verified: true },
  { name: "Sofia Brandt", email: "sofia.brandt@gmail.test", verified: true },
  { name: "Marta Lindqvist", email: "seller@demo.test", verified: true },
];

/** What the chooser sends: one of the people, somebody else, or that nobody was chosen. */
export const choice = z.union([
  z.object({ cancel: z.string() }),
  z.object({ person: z.enum(people.map(({ email }) => email)) }),
  z.object({
    name: z.string().trim().min(1).max(80),
    email: z.string().trim().toLowerCase().pipe(z.email()),
    verified: z.literal("on").optional(),
  }),
]);

/** Whom a choice means; nobody where it was cancelled. */
export function chosen(made: z.output<typeof choice>): Person | undefined {
  if ("person" in made) return people.find(({ email }) => email === made.person);
  if ("cancel" in made) return undefined;
  return { name: made.name, email: made.email, verified: made.verified === "on" };
}

/** What Google says of somebody; `sub`, 21 digits, is the same as long as the address is. */
export function claimsOf({ name, email, verified }: Person) {
  const hash = BigInt(`0x${createHash("sha256").update(email).digest("hex")}`);
  const sub = `1${String(hash % 10n ** 20n).padStart(20, "0")}`;
  return { sub, name, email, email_verified: verified };
}
