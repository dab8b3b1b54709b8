import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { changedBySecondFactors } from "#contract/call-resources.ts";
import { propertyOf, textOf } from "#contract/client.ts";
import { clearAccessToken } from "../api/access-token.ts";
import { useMutationOnce } from "../api/api.ts";
import { callIdentityService } from "../api/identity-client.ts";
import { sessionQuery } from "./session.ts";

/** Removes spaces, because many apps show one in the middle of the code. */
export const appCode = z
  .string()
  .transform((code) => code.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter the six-digit code from your app."));

/** Verifies a code from the authenticator app, at login or during setup. */
export async function verifyAppCode({ code }: { code: string }): Promise<void> {
  await callIdentityService("/two-factor/verify-totp", { code }, messages);
}

export async function verifyBackupCode({ code }: { code: string }): Promise<void> {
  await callIdentityService("/two-factor/verify-backup-code", { code }, messages);
}

/** The secret and backup codes are shown only once. */
export async function startAppSetup(by: { password?: string }): Promise<AppSetup> {
  const answer = await callIdentityService("/two-factor/enable", by, messages);
  const totpURI = textOf(answer, "totpURI") ?? "";
  const { encode } = await import("uqr");
  const secret = new URL(totpURI).searchParams.get("secret") ?? "";
  return {
    qrCode: encode(totpURI, { ecc: "M", border: 4 }).data,
    secret,
    backupCodes: backupCodesIn(answer),
  };
}

/** `qrCode` has one array per row, with true for each dark square. */
export type AppSetup = { qrCode: boolean[][]; secret: string; backupCodes: string[] };

/** `password` is set only if the account has one. */
export type PasswordAndCode = { password?: string; code: string };

export async function turnOffTwoStep(by: PasswordAndCode): Promise<void> {
  await callIdentityService("/two-factor/disable", by, messages);
}

export async function makeBackupCodes(by: PasswordAndCode): Promise<string[]> {
  const made = await callIdentityService("/two-factor/generate-backup-codes", by, messages);
  return backupCodesIn(made);
}

function backupCodesIn(answer: unknown): string[] {
  const codes = propertyOf(answer, "backupCodes");
  if (!Array.isArray(codes)) throw new Error("The identity service sent no backup codes.");
  return codes.map(String);
}

/** The change may create a new session, so the old session's access token is removed. */
export function useSecondFactorMutation<V, D>(
  change: (values: V) => Promise<D>,
  onSuccess: (answer: D) => void = () => {},
) {
  const queries = useQueryClient();
  return useMutationOnce({
    mutationFn: change,
    meta: { changes: changedBySecondFactors },
    onSuccess: async (answer) => {
      clearAccessToken();
      await queries.query({ ...sessionQuery, staleTime: 0 });
      onSuccess(answer);
    },
  });
}

const messages: Record<string, string> = {
  INVALID_CODE: "That code isn't right. Check it, or wait for the next one.",
  INVALID_BACKUP_CODE: "That backup code isn't right, or has already been used.",
  CODE_USED: "This code has already been used. Wait for the next one.",
  INVALID_PASSWORD: "That password isn't right.",
  INVALID_TWO_FACTOR_COOKIE: "Your login has expired. Log in again.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many wrong codes. Log in again.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many wrong codes. Wait 15 minutes, then log in again.",
  SECOND_FACTOR_NOT_SHOWN: "To change this, sign out and log in again with your passkey or code.",
};
