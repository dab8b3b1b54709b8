import { sql } from "kysely";
import type { Tx } from "../../db/database.ts";
import { enqueue } from "../../jobs/job-queue.ts";
import { accountStore, lockUser } from "./account-store.ts";
import type { Accounts, Sessions } from "./port.ts";
import { sessionStore } from "./session-store.ts";

/** `providerId` of a Firebase account that took over an existing account with another id. */
export const linkedAccount = "firebase";

/** Adds sign-in cutoffs, because browsers keep valid ID tokens after a session ends. */
export function firebaseStores({
  now,
  canDelete,
}: {
  now: () => Date;
  /** Whether the shop can delete accounts at Firebase. */
  canDelete: boolean;
}): { accounts: Accounts; sessions: Sessions } {
  return {
    accounts: {
      ...accountStore,
      async hasPassword(tx, email) {
        const methods = await accountStore.listSignInMethods(tx, email);
        return methods.some(({ method }) => method === "password");
      },
      async listSignInMethods(tx, email) {
        const methods = await accountStore.listSignInMethods(tx, email);
        return methods.filter(({ method }) => method !== linkedAccount);
      },
      async remove(tx, email) {
        const accountIds = await refuseSignInsUntil(tx, email, now());
        await accountStore.remove(tx, email);
        if (!canDelete) return;
        for (const accountId of accountIds)
          await enqueue(tx, "deleteHostedAccount", { payload: { accountId } });
      },
    },
    sessions: {
      ...sessionStore,
      async end(tx, email, which) {
        const until = "id" in which ? await startOf(tx, which.id) : now();
        const ended = await sessionStore.end(tx, email, which);
        if (until && ended > 0) await refuseSignInsUntil(tx, email, until);
        return ended;
      },
      async endAll(tx, email) {
        await refuseSignInsUntil(tx, email, now());
        return await sessionStore.endAll(tx, email);
      },
      async deleteStarted(tx, before) {
        await sessionStore.deleteStarted(tx, before);
        // Sign-ins before these cutoffs are too old to start a session (`firebase-sign-in.ts`).
        await tx.deleteFrom("identity.signInCutoff").where("at", "<", before).execute();
      },
    },
  };
}

async function startOf(tx: Tx, sessionId: string): Promise<Date | undefined> {
  const session = await tx
    .selectFrom("identity.session")
    .select("createdAt")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return session?.createdAt;
}

/** Refuses new sessions for sign-ins up to `at`. Returns the account's possible Firebase ids. */
export async function refuseSignInsUntil(tx: Tx, email: string, at: Date): Promise<string[]> {
  const user = await lockUser(tx, email);
  if (!user) return [];
  const linked = await tx
    .selectFrom("identity.account")
    .select("accountId")
    .where("userId", "=", user.id)
    .where("providerId", "=", linkedAccount)
    .execute();
  const accountIds = [user.id, ...linked.map(({ accountId }) => accountId)];
  await tx
    .insertInto("identity.signInCutoff")
    .values(accountIds.map((accountId) => ({ accountId, at })))
    .onConflict((conflict) =>
      conflict
        .column("accountId")
        .doUpdateSet({ at: sql<Date>`greatest(excluded.at, "signInCutoff".at)` }),
    )
    .execute();
  return accountIds;
}
