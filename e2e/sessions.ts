import { updateSessions } from "#server/adapters/identity/testing.ts";
import type { Credentials } from "./accounts.ts";
import { changeDatabase } from "./database.ts";

/** Sensitive actions ask for the password ten minutes after login. */
export async function backdateSessions({ email }: Credentials): Promise<void> {
  const createdAt = new Date(Date.now() - 11 * 60_000);
  await changeDatabase((db) => updateSessions(db, { createdAt }, email));
}
