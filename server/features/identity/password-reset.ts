import { randomBytes, randomUUID } from "node:crypto";
import { type Tx, transact } from "../../db/database.ts";
import type { Deps } from "../../deps.ts";
import { enqueue } from "../../jobs.ts";
import { writeLetter } from "../mail/letters.ts";

/** How long a link is good for, and how soon the next one is written, in milliseconds. */
const goodFor = 60 * 60_000;
const pause = 60_000;

/** The embedded identity service finds a link's token under this name. */
const prefix = "reset-password:";

/**
 * Writes to whoever has this address a link to set a new password, good once, for an hour, in the place
 * of any before it; to nobody where there is no such person. Asked again within a minute it does
 * nothing, so that no mailbox is flooded. It is a job: how long it takes tells nobody who has an account.
 */
export async function offerPasswordReset(deps: Deps, email: string): Promise<void> {
  await transact(deps.db, "offerPasswordReset", async (tx) => {
    const person = await tx
      .selectFrom("identity.user")
      .select("id")
      .where("email", "=", email)
      .forUpdate()
      .executeTakeFirst();
    if (!person) return;
    const token = await newLink(tx, person.id, deps.clock.now());
    if (token === undefined) return;
    const url = `${deps.config.publicUrl}/reset-password?token=${token}`;
    await enqueue(tx, "sendMail", { payload: resetLetter(email, url) });
  });
}

/** The token of a new link in the place of the last one; undefined where that one is too new. */
async function newLink(tx: Tx, userId: string, at: Date): Promise<string | undefined> {
  const links = tx
    .selectFrom("identity.verification")
    .select("id")
    .where("value", "=", userId)
    .where("identifier", "like", `${prefix}%`);
  const tooNew = links.where("createdAt", ">", new Date(at.getTime() - pause));
  if (await tooNew.executeTakeFirst()) return undefined;
  await tx.deleteFrom("identity.verification").where("id", "in", links).execute();
  const token = randomBytes(24).toString("base64url");
  const link = {
    id: randomUUID(),
    identifier: `${prefix}${token}`,
    value: userId,
    createdAt: at,
    updatedAt: at,
    expiresAt: new Date(at.getTime() + goodFor),
  };
  await tx.insertInto("identity.verification").values(link).execute();
  return token;
}

/** Without a name: whoever signed up with this address may have written anything there. */
function resetLetter(to: string, url: string) {
  return writeLetter({
    to,
    subject: "Set a new password for Secondlap",
    paragraphs: [
      "Somebody asked to set a new password for the Secondlap account of this address. If that was you, go on here. The link works once, within an hour.",
      "If it was not you, there is nothing to do: the password stays as it is.",
    ],
    action: { label: "Set a new password", url },
  });
}
