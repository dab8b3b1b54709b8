import { BlockList, isIPv4, isIPv6 } from "node:net";
import { isTestKey } from "./card-payments.ts";

/** Keys and secrets for which the sandbox has public values. */
const sandboxSettings = [
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_CONNECT_WEBHOOK_SECRET",
  "GOOGLE_CLIENT_SECRET",
] as const;

type CheckedTexts =
  | (typeof sandboxSettings)[number]
  | "SECRET"
  | "SMTP_URL"
  | "OIDC_ISSUER"
  | "S3_PUBLIC_URL"
  | "FIREBASE_PROJECT_ID"
  | "FIREBASE_AUTH_EMULATOR_HOST";

type CheckedSettings = { [N in CheckedTexts]?: string | undefined } & {
  DEMO?: boolean | undefined;
  STAGING: boolean;
  RATE_LIMIT: "on" | "off";
  PUBLIC_URL?: URL | undefined;
  PASSWORD_HASHING: "strong" | "quick";
  ADMIN_SECOND_FACTOR?: "required" | "optional" | undefined;
};

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  if (isIPv4(name)) return loopback.check(name);
  return name === "localhost" || (isIPv6(name) && loopback.check(name, "ipv6"));
}

/** Lists missing and unsafe settings. If there are any, a production shop doesn't start. */
export function productionProblems(set: CheckedSettings): string[] {
  const problems = [
    set.DEMO && "DEMO must be 0: demo accounts have a public password.",
    !set.SECRET && "SECRET must be set, to at least 32 random characters.",
    !set.STRIPE_SECRET_KEY && "STRIPE_SECRET_KEY must be set: the sandbox takes no real money.",
    !set.SMTP_URL && "SMTP_URL must be set: the sandbox's inbox is open to everybody.",
    !set.PUBLIC_URL && "PUBLIC_URL must be set, to the address people open.",
    set.PUBLIC_URL?.protocol === "http:" &&
      !isLoopback(set.PUBLIC_URL.hostname) &&
      "PUBLIC_URL must begin with https: without TLS anybody on the way reads who signs in.",
    set.OIDC_ISSUER?.startsWith("http:") &&
      "OIDC_ISSUER must begin with https: without TLS anybody on the way could sign in as anybody.",
    set.RATE_LIMIT === "off" && "RATE_LIMIT must be on.",
    set.FIREBASE_PROJECT_ID === undefined &&
      set.ADMIN_SECOND_FACTOR === "optional" &&
      "ADMIN_SECOND_FACTOR must be required: a password alone must not make anybody an admin.",
    set.FIREBASE_PROJECT_ID !== undefined &&
      set.ADMIN_SECOND_FACTOR !== "optional" &&
      "ADMIN_SECOND_FACTOR must be set to optional with Firebase, where members show this shop no second factor: admins then need a password or Google only.",
    set.FIREBASE_AUTH_EMULATOR_HOST !== undefined &&
      "FIREBASE_AUTH_EMULATOR_HOST must be unset: at the emulator anybody can sign in as anybody.",
    set.S3_PUBLIC_URL?.startsWith("http:") &&
      "S3_PUBLIC_URL must begin with https: browsers show no photos without TLS on a page with it.",
    set.PASSWORD_HASHING === "quick" && "PASSWORD_HASHING must be strong.",
  ].filter((sentence) => typeof sentence === "string");
  return [...problems, ...sandboxSecrets(set), ...wrongKindOfKeys(set)];
}

function sandboxSecrets(set: CheckedSettings): string[] {
  const publicSecrets: string[] = [...Object.values(sandboxKeys), sandboxGoogle.clientSecret];
  return sandboxSettings
    .filter((name) => publicSecrets.includes(set[name] ?? ""))
    .map((name) => `${name} is the sandbox's, which is public: set your own.`);
}

/** Lists a real shop's test keys, which accept test cards, and a staging shop's live keys. */
function wrongKindOfKeys(set: CheckedSettings): string[] {
  const keys = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"] as const;
  return keys.flatMap((name) => {
    const key = set[name];
    if (key === undefined || isTestKey(key) === set.STAGING) return [];
    return set.STAGING
      ? `${name} must be a test key on a staging shop, which tells visitors that no real money moves. Set one, or unset STAGING.`
      : `${name} is a test key: anybody could pay with a test card. Set a live key, or STAGING=1 for a shop to try things in.`;
  });
}

/** The keys of the sandbox's Stripe. They are public, so production rejects them. */
export const sandboxKeys = {
  secretKey: "sk_test_sandbox",
  publishableKey: "pk_test_sandbox",
  webhookSecret: "whsec_sandbox",
  connectWebhookSecret: "whsec_sandbox_connect",
};

export const sandboxGoogle = {
  clientId: "sandbox.apps.googleusercontent.test",
  clientSecret: "sandbox_google_secret",
};
