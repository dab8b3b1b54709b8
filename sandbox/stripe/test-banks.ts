/** In the US (https://docs.stripe.com/connect/testing). Payouts to other accounts succeed. */
export const testBanks = [
  { number: "000123456789", failure: undefined, says: "Payouts succeed" },
  { number: "000111111116", failure: "no_account", says: "Payouts fail: no account" },
  { number: "000111111113", failure: "account_closed", says: "Payouts fail: account closed" },
  {
    number: "000222222227",
    failure: "insufficient_funds",
    says: "Payouts fail: insufficient funds",
  },
  { number: "000333333335", failure: "debit_not_authorized", says: "Payouts fail: not authorized" },
  { number: "000444444440", failure: "invalid_currency", says: "Payouts fail: invalid currency" },
] as const;

/** Undefined if payouts succeed. */
export function bankFailureOf(number: string): string | undefined {
  return testBanks.find((bank) => bank.number === number)?.failure;
}
