import { createOTP } from "@better-auth/utils/otp";
import { APIError } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { DB } from "../../db/schema.ts";

/** How long a code stays used: longer than the three half minutes in which it is valid. */
export const codeMinutes = 3;

type SecretKey = Parameters<typeof symmetricDecrypt>[0]["key"];

/**
 * Notes that somebody tries this code of their authenticator app, in one statement, so that of two tries at
 * once one is refused; the plugin would accept it as often as it comes.
 */
export async function takeCodeOnce(db: Kysely<DB>, userId: string, code: unknown): Promise<void> {
  if (!isAppCode(code)) throw wrongCode();
  const noted = await db
    .insertInto("identity.usedCode")
    .values({ userId, code, usedAt: sql`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(["userId", "code"])
        .doUpdateSet({ usedAt: sql`now()` })
        .where(
          "identity.usedCode.usedAt",
          "<",
          sql<Date>`now() - ${codeMinutes} * interval '1 minute'`,
        ),
    )
    .returning("userId")
    .executeTakeFirst();
  if (noted) return;
  throw new APIError("UNAUTHORIZED", {
    code: "CODE_USED",
    message: "This code was used already. Wait for the next one.",
  });
}

/** Refuses a change without a right code, of the app or a backup code; the plugin asks for the password only. */
export async function requireCode(
  { db, key }: { db: Kysely<DB>; key: SecretKey },
  userId: string,
  code: unknown,
): Promise<void> {
  const factor = await db
    .selectFrom("identity.twoFactor")
    .select(["secret", "backupCodes"])
    .where("userId", "=", userId)
    .where("verified", "=", true)
    .executeTakeFirst();
  if (!factor) return;
  if (isAppCode(code)) {
    await takeCodeOnce(db, userId, code);
    const secret = await symmetricDecrypt({ key, data: factor.secret });
    if (await createOTP(secret).verify(code)) return;
  } else {
    const backupCodes = await symmetricDecrypt({ key, data: factor.backupCodes });
    if (z.array(z.unknown()).parse(JSON.parse(backupCodes)).includes(code)) return;
  }
  throw wrongCode();
}

function isAppCode(code: unknown): code is string {
  return typeof code === "string" && /^\d{6}$/.test(code);
}

function wrongCode(): APIError {
  return new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: "That code is not right." });
}
