import { expect, test } from "vitest";
import { readConfig, SettingsError } from "./config.ts";

const wrong: [Record<string, string>, string][] = [
  [{ PORT: "http" }, "PORT: must be a port"],
  [{ DATABASE_URL: "mysql://localhost/x" }, "DATABASE_URL"],
  [{ SECRET: "short" }, "SECRET: must have at least 32 characters"],
  [{ CURRENCY: "jpy" }, "CURRENCY: must be one of usd"],
  [{ STRIPE_SECRET_KEY: "sk_live_1" }, "STRIPE_WEBHOOK_SECRET"],
  [{ NODE_ENV: "production" }, "SECRET must be set"],
  [{ NODE_ENV: "production" }, "STRIPE_SECRET_KEY must be set"],
  [{ NODE_ENV: "production", DEMO: "1" }, "DEMO must be 0"],
  [{ NODE_ENV: "production", PUBLIC_URL: "http://a.example" }, "PUBLIC_URL must begin with https"],
  [{ NODE_ENV: "production", RATE_LIMIT: "off" }, "RATE_LIMIT must be on"],
  [
    { NODE_ENV: "production", ADMIN_SECOND_FACTOR: "optional" },
    "ADMIN_SECOND_FACTOR must be required",
  ],
  [{ NODE_ENV: "production", PASSWORD_HASHING: "quick" }, "PASSWORD_HASHING must be strong"],
];
test.each(wrong)("%j is refused with a sentence that names the variable", (env, sentence) => {
  expect(() => readConfig(env)).toThrow(SettingsError);
  expect(() => readConfig(env)).toThrow(sentence);
});
