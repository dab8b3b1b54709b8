import { describe, expect, test } from "vitest";
import { readConfig, SettingsError } from "../config.ts";
import { hostedServices, needsSandbox } from "./hosted-services.ts";

const stripe = {
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};
const google = { GOOGLE_CLIENT_ID: "an id", GOOGLE_CLIENT_SECRET: "a secret" };
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

describe("the hosted services", () => {
  test("that are set are asked themselves, and no stand-in is started for them", () => {
    const config = readConfig({ ...stripe, ...google, ...smtp });
    expect(needsSandbox(config)).toBe(false);
    expect(hostedServices(config, undefined)).toEqual({
      stripe: {
        secretKey: "sk_live_1",
        publishableKey: "pk_live_1",
        webhookSecret: "whsec_1",
        browser: { publishableKey: "pk_live_1", scriptUrl: null },
      },
      google: {
        clientId: "an id",
        clientSecret: "a secret",
        discoveryUrl: "https://accounts.google.com/.well-known/openid-configuration",
      },
      smtp: {
        url: "smtps://user:pass@smtp.example.com",
        from: "Secondlap <no-reply@127.0.0.1>",
        inboxUrl: null,
      },
    });
  });

  test.each([
    { ...google, ...smtp },
    { ...stripe, ...smtp },
    { ...stripe, ...google },
  ])("that are not set are played: with %j alone the sandbox is needed", (set) => {
    const config = readConfig(set);
    expect(needsSandbox(config)).toBe(true);
    const services = hostedServices(config, sandbox);
    const addresses = [
      services.stripe.browser.scriptUrl,
      services.google?.discoveryUrl,
      services.smtp.url,
    ];
    expect(addresses.filter((one) => one?.includes("127.0.0.1:40"))).toHaveLength(1);
  });

  test("are never played in production, where Google is off unless it is set", () => {
    const config = readConfig(production);
    expect(needsSandbox(config)).toBe(false);
    expect(hostedServices(config, undefined).google).toBeUndefined();
    expect(
      hostedServices(readConfig({ ...production, ...google }), undefined).google,
    ).toBeDefined();
  });
});

describe("their settings", () => {
  test("a production start without mail is refused", () => {
    const refused = () => readConfig({ ...production, SMTP_URL: "" });
    expect(refused).toThrow(SettingsError);
    expect(refused).toThrow("SMTP_URL must be set");
  });

  test.each([
    [{ GOOGLE_CLIENT_ID: "an id" }, "GOOGLE_CLIENT_SECRET"],
    [{ SMTP_URL: "https://smtp.example.com" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://" }, "SMTP_URL"],
  ])("%j is refused with a sentence that names the variable", (set, named) => {
    expect(() => readConfig(set)).toThrow(named);
  });
});
