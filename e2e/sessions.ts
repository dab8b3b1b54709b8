import type { Visitor } from "./accounts.ts";
import { changeDatabase } from "./database.ts";

/** Lets eleven minutes pass since somebody signed in, wherever they are. */
export async function ageSessionsOf({ email }: Visitor): Promise<void> {
  await changeDatabase(
    `update identity.session set "createdAt" = now() - interval '11 minutes'
     where "userId" = (select id from identity.user where email = $1)`,
    [email],
  );
}
