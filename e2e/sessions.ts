import { updateSessions } from "#server/adapters/identity/testing.ts";
import type { Visitor } from "./accounts.ts";
import { changeDatabase } from "./database.ts";

/** Makes every session of a visitor look as if it had started eleven minutes ago. */
export async function ageSessionsOf({ email }: Visitor): Promise<void> {
  const createdAt = new Date(Date.now() - 11 * 60_000);
  await changeDatabase((db) => updateSessions(db, { createdAt }, email));
}
