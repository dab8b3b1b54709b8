import { createOTP } from "@better-auth/utils/otp";
import { APIError } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { DB } from "../../db/schema.ts";

/** Minutes for which a used code stays blocked. A code is valid for three steps of 30 seconds. */
const codeMinutes = 3;

type SecretKey = Parameters<typeof symmetricDecrypt>[0]["key"];

/**
 * Marks a TOTP code as used in one statement, so that only one of two concurrent attempts succeeds.
 * The plugin itself would accept a code repeatedly. Throws `INVALID_CODE` or `CODE_USED`.
 */
export async function markCodeUsed(db: Kysely<DB>, userId: string, code: unknown): Promise<void> {
  if (!isAppCode(code)) throw wrongCode();
  const marked = await db
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
  if (marked) return;
  throw new APIError("UNAUTHORIZED", {
    code: "CODE_USED",
    message: "This code has already been used. Wait for the next one.",
  });
}

/** Requires a valid TOTP or backup code for a change. The plugin requires only the password. */
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
    await markCodeUsed(db, userId, code);
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
