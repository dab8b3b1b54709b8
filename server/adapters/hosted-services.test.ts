import { describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { hostedServices, needsSandbox } from "./hosted-services.ts";

const stripe = {
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};
const google = { GOOGLE_CLIENT_ID: "an id", GOOGLE_CLIENT_SECRET: "a secret" };
const oidc = {
  OIDC_ISSUER: "https://login.example.com/",
  OIDC_CLIENT_ID: "another id",
  OIDC_CLIENT_SECRET: "another secret",
};
const smtp = { SMTP_URL: "smtps://user:pass@smtp.example.com" };
const production = {
  NODE_ENV: "production",
  SECRET: "x".repeat(32),
  PUBLIC_URL: "https://laptops.example.com",
  ...stripe,
  ...smtp,
};

const sandbox = {
  url: "http://127.0.0.1:4001",
  smtpUrl: "smtp://127.0.0.1:4025",
  stop: async () => {},
};

describe("hosted services", () => {
  test("configured services are called directly, and no sandbox is needed if all are configured", () => {
    const config = readConfig({ ...stripe, ...google, ...oidc, OIDC_LABEL: "Acme", ...smtp });
    expect(needsSandbox(config)).toBe(false);
    expect(hostedServices(config, undefined)).toEqual({
      stripe: {
        secretKey: "sk_live_1",
        publishableKey: "pk_live_1",
        webhookSecret: "whsec_1",
        sellerCountry: "us",
        browser: { publishableKey: "pk_live_1", scriptUrl: null },
      },
      signInProviders: [
        {
          id: "google",
          label: "Google",
          issuer: "https://accounts.google.com",
          clientId: "an id",
          clientSecret: "a secret",
        },
        {
          id: "oidc",
          label: "Acme",
          issuer: "https://login.example.com/",
          clientId: "another id",
          clientSecret: "another secret",
        },
      ],
      smtp: {
        url: "smtps://user:pass@smtp.example.com",
        from: "no-reply@127.0.0.1",
        inboxUrl: null,
      },
    });
  });

  test.each([
    { ...google, ...smtp },
    { ...stripe, ...smtp },
    { ...stripe, ...google },
  ])("the sandbox replaces the service that is missing from %j", (set) => {
    const config = readConfig(set);
    expect(needsSandbox(config)).toBe(true);
    const services = hostedServices(config, sandbox);
    const addresses = [
      services.stripe.browser.scriptUrl,
      services.signInProviders[0]?.issuer,
      services.smtp.url,
    ];
    expect(addresses.filter((one) => one?.includes("127.0.0.1:40"))).toHaveLength(1);
  });

  test("production never needs the sandbox, and Google sign-in is off unless it is configured", () => {
    const config = readConfig(production);
    expect(needsSandbox(config)).toBe(false);
    const providersOf = (set: object) =>
      hostedServices(readConfig({ ...production, ...set }), undefined).signInProviders;
    expect(providersOf({})).toEqual([]);
    expect(providersOf(google)).toMatchObject([{ id: "google" }]);
    expect(providersOf(oidc)).toMatchObject([{ id: "oidc", label: "login.example.com" }]);
  });
});
