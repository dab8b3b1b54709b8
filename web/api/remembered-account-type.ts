import { z } from "zod";
import { type AccountType, accountTypes } from "#contract/members.ts";

const key = "signingUp";
const remembered = z.object({ email: z.string(), accountType: z.enum(accountTypes) });

/**
 * Keeps the account type chosen at sign-up, in case the connection fails before the membership is created.
 */
export function rememberAccountType(email: string, accountType: AccountType): void {
  localStorage.setItem(key, JSON.stringify({ email, accountType }));
}

export function rememberedAccountType(email: string): AccountType | undefined {
  const stored = remembered.safeParse(JSON.parse(localStorage.getItem(key) ?? "null"));
  return stored.data?.email === email ? stored.data.accountType : undefined;
}

export function clearAccountType(): void {
  localStorage.removeItem(key);
}
