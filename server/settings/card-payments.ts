import { z } from "zod";
import { text } from "./fields.ts";

const aSuffix =
  "must have 1 to 18 Latin characters, one of them a letter, and none of < > \\ ' \" *";

export const stripeFields = {
  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_PUBLISHABLE_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_CONNECT_WEBHOOK_SECRET: text.optional(),
  /** The country of sellers' accounts (ISO 3166-1 alpha-2). */
  SELLER_COUNTRY: z
    .string()
    .regex(/^[A-Za-z]{2}$/, "must be a country's two letters, such as US")
    .toLowerCase()
    .default("us"),
  /** Stripe allows 22 characters: at least two of the account's name, "* " and this suffix. */
  STATEMENT_DESCRIPTOR_SUFFIX: z
    .string()
    .regex(/^[ -~]{1,18}$/, aSuffix)
    .regex(/[A-Za-z]/, aSuffix)
    .regex(/^[^<>\\'"*]*$/, aSuffix)
    .optional(),
};

type StripeFields = z.output<z.ZodObject<typeof stripeFields>>;

export function stripeProblems(set: StripeFields): string[] {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = set;
  const keys = [STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET];
  const given = keys.filter((key) => key !== undefined).length;
  if (given === 0 && set.STRIPE_CONNECT_WEBHOOK_SECRET !== undefined)
    return ["STRIPE_CONNECT_WEBHOOK_SECRET needs the other three settings of Stripe."];
  if (given === 0 || given === keys.length) return [];
  return [
    "STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET go together: set all three, or none for the sandbox. `npm run stripe -- webhook` needs only the first, and prints the last.",
  ];
}

export type StripeKeys = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  connectWebhookSecret?: string | undefined;
  /** Replaces the host of Stripe's API. */
  host?: { hostname: string; port: number };
};

export function stripeKeys(set: StripeFields): StripeKeys | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = set;
  const { STRIPE_WEBHOOK_SECRET: webhookSecret } = set;
  if (!secretKey || !publishableKey || !webhookSecret) return undefined;
  const connectWebhookSecret = set.STRIPE_CONNECT_WEBHOOK_SECRET;
  return { secretKey, publishableKey, webhookSecret, connectWebhookSecret };
}

export function isTestKey(key: string): boolean {
  return /^[a-z]+_test_/.test(key);
}
