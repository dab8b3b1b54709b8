import { resolve } from "node:path";
import { z } from "zod";

const key = z.string().min(1);

// The shop has the same settings, except `WEBHOOK_URL` (the URL that gets events) and
// `GOOGLE_REDIRECT_URIS`.
const settings = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  DATA_DIR: z.string().min(1).default(".data"),
  STRIPE_SECRET_KEY: key.default("sk_test_sandbox"),
  STRIPE_PUBLISHABLE_KEY: key.default("pk_test_sandbox"),
  STRIPE_WEBHOOK_SECRET: key.default("whsec_sandbox"),
  STRIPE_CONNECT_WEBHOOK_SECRET: key.default("whsec_sandbox_connect"),
  WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  GOOGLE_CLIENT_ID: key.default("sandbox.apps.googleusercontent.test"),
  GOOGLE_CLIENT_SECRET: key.default("sandbox_google_secret"),
  GOOGLE_REDIRECT_URIS: z.string().default("http://127.0.0.1:3000/api/auth/callback/google"),
});

export type SandboxConfig = ReturnType<typeof readConfig>;

/** Throws an `Error` whose message names each invalid variable. */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`Please fix these settings:\n  ${lines.join("\n  ")}`);
  }
  const set = parsed.data;
  return {
    host: set.HOST,
    port: set.SANDBOX_PORT,
    /** The folder for SQLite files and Google's signing key. */
    stateDir: resolve(set.DATA_DIR, "sandbox"),
    stripe: {
      secretKey: set.STRIPE_SECRET_KEY,
      publishableKey: set.STRIPE_PUBLISHABLE_KEY,
      webhookSecret: set.STRIPE_WEBHOOK_SECRET,
      /** Signs events about sellers' accounts. */
      connectWebhookSecret: set.STRIPE_CONNECT_WEBHOOK_SECRET,
      /** If unset, events stay queued. */
      webhookUrl: set.WEBHOOK_URL,
    },
    google: {
      clientId: set.GOOGLE_CLIENT_ID,
      clientSecret: set.GOOGLE_CLIENT_SECRET,
      redirectUris: set.GOOGLE_REDIRECT_URIS.split(/\s+/).filter(Boolean),
    },
  };
}
