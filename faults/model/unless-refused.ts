import { CallError } from "#contract/client.ts";

export function sum(cents: number[]): number {
  return cents.reduce((all, one) => all + one, 0);
}

const refusals = new Set<string>(["STALE", "NOT_FOUND"]);

/** Returns false if the shop or the provider rejects the call. */
export async function unlessRefused(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof CallError && refusals.has(error.code)) return false;
    if (error instanceof Error && error.constructor.name.startsWith("Stripe")) return false;
    throw error;
  }
}
