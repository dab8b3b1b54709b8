import { textOf } from "#contract/client.ts";
import { type AccountType, accountTypes } from "#contract/members.ts";

const key = "signingUp";

/**
 * Stores the account type chosen at sign-up, in case the connection fails before the membership is
 * created.
 */
export function rememberAccountType(email: string, accountType: AccountType): void {
  localStorage.setItem(key, JSON.stringify({ email, accountType }));
}

export function rememberedAccountType(email: string): AccountType | undefined {
  const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
  if (textOf(stored, "email") !== email) return undefined;
  return accountTypes.find((type) => type === textOf(stored, "accountType"));
}

export function clearAccountType(): void {
  localStorage.removeItem(key);
}
