import { z } from "zod";
import { callIdentityService } from "./identity-client.ts";

/** The second step of logging in, or the first code of an app that is being set up. */
export async function verifyAppCode({ code }: { code: string }): Promise<void> {
  await callIdentityService("/two-factor/verify-totp", { code }, words);
}

/** The second step with one of the codes that were written down. */
export async function verifyBackupCode({ code }: { code: string }): Promise<void> {
  await callIdentityService("/two-factor/verify-backup-code", { code }, words);
}

/** Starts to set up an authenticator app; what it answers is shown once. */
export async function startAppSetup(by: { password?: string }): Promise<AppSetup> {
  const { totpURI, backupCodes } = appSetup.parse(
    await callIdentityService("/two-factor/enable", by, words),
  );
  const { encode } = await import("uqr");
  const secret = new URL(totpURI).searchParams.get("secret") ?? "";
  return { qrCode: encode(totpURI, { ecc: "M", border: 4 }).data, secret, backupCodes };
}

const backupCodes = z.array(z.string());
const appSetup = z.object({ totpURI: z.string(), backupCodes });

/** The QR code by rows, true where it is dark. */
export type AppSetup = { qrCode: boolean[][]; secret: string; backupCodes: string[] };

/** A change to two-step verification is made with the password, where there is one, and a code. */
export type PasswordAndCode = { password?: string; code: string };

export async function turnOffTwoStep(by: PasswordAndCode): Promise<void> {
  await callIdentityService("/two-factor/disable", by, words);
}

export async function makeBackupCodes(by: PasswordAndCode): Promise<string[]> {
  const made = await callIdentityService("/two-factor/generate-backup-codes", by, words);
  return z.object({ backupCodes }).parse(made).backupCodes;
}

/** What the identity service's codes mean here. */
const words: Record<string, string> = {
  INVALID_CODE: "That code isn't right. Check it, or wait for the next one.",
  INVALID_BACKUP_CODE: "That backup code isn't right, or has already been used.",
  CODE_USED: "This code has already been used. Wait for the next one.",
  INVALID_PASSWORD: "That password isn't right.",
  INVALID_TWO_FACTOR_COOKIE: "Your login has expired. Log in again.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Log in again.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Wait 15 minutes, then log in again.",
  SECOND_FACTOR_NOT_SHOWN: "To change this, sign out and log in again with your passkey or code.",
};
