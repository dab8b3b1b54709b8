import { z } from "zod";

const text = z.string().min(1).optional();

const aSuffix =
  "must have 1 to 18 Latin characters, one of them a letter, and none of < > \\ ' \" *";

/** The settings of Stripe. */
export const stripeFields = {
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  /** Stripe's rules; with the account's name of two characters or more and "* " between, banks show 22. */
  STATEMENT_DESCRIPTOR_SUFFIX: z
    .string()
    .regex(/^[ -~]{1,18}$/, aSuffix)
    .regex(/[A-Za-z]/, aSuffix)
    .regex(/^[^<>\\'"*]*$/, aSuffix)
    .optional(),
};

type StripeFields = z.output<z.ZodObject<typeof stripeFields>>;

/** Why the keys can't be used together. */
export function stripeProblems(set: StripeFields): string[] {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = set;
  const keys = [STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET];
  const given = keys.filter((key) => key !== undefined).length;
  if (given === 0 || given === keys.length) return [];
  return [
    "STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET go together: set all three, or none for the sandbox. `npm run stripe -- webhook` needs only the first, and prints the last.",
  ];
}

export type StripeKeys = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** The address of the API. No setting changes it; tests with live-looking keys use the sandbox's. */
  host?: { hostname: string; port: number };
};

/** The keys; undefined if they are not set. */
export function stripeKeys(set: StripeFields): StripeKeys | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = set;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret } = set;
  if (!secretKey || !publishableKey || !webhookSecret) return undefined;
  return { secretKey, publishableKey, webhookSecret };
}

/** Whether no real money moves with this key. */
export function isTestKey(key: string): boolean {
  return /^[a-z]+_test_/.test(key);
}
