import type { Tx } from "../../db/database.ts";
import { enqueue } from "../../jobs.ts";
import type { Letter } from "../../ports/mail/port.ts";

/** Leaves a letter to be sent once the transaction is committed, and never if it is not (decision 0009). */
export async function postLetter(tx: Tx, letter: Letter): Promise<void> {
  await enqueue(tx, "sendMail", { payload: letter });
}
