import type { Config } from "../config.ts";
import { sandboxGoogle, sandboxKeys } from "../settings/production-checks.ts";
import type { OpenIdProvider } from "./identity/port.ts";
import type { SandboxAddresses } from "./sandbox-process.ts";

/** Whether the sandbox must replace an unconfigured service. False in production. */
export function needsSandbox(config: Config): boolean {
  const { production, stripe, google, firebase, smtpUrl } = config;
  return !production && !(stripe && (google || firebase) && smtpUrl);
}

/** Without a sandbox, unconfigured Google sign-in is off, and unconfigured cards and mail fail. */
export function hostedServices(config: Config, sandbox: SandboxAddresses | undefined) {
  return {
    stripe: stripe(config, sandbox),
    signInProviders: signInProviders(config, sandbox),
    smtp: smtp(config, sandbox),
  };
}

const unreachable = { url: "http://127.0.0.1:9", smtpUrl: "smtp://127.0.0.1:9" };

function stripe(config: Config, sandbox: SandboxAddresses | undefined) {
  const { statementDescriptorSuffix, sellerCountry } = config;
  if (config.stripe) {
    const { publishableKey } = config.stripe;
    const browser = { publishableKey, scriptUrl: null };
    return { ...config.stripe, statementDescriptorSuffix, sellerCountry, browser };
  }
  const { url } = sandbox ?? unreachable;
  const { hostname, port } = new URL(url);
  const { publishableKey } = sandboxKeys;
  const browser = { publishableKey, scriptUrl: `${url}/stripe/v3/` };
  const host = { hostname, port: Number(port) };
  return { ...sandboxKeys, statementDescriptorSuffix, sellerCountry, browser, host };
}

function signInProviders(
  { google, oidc }: Config,
  sandbox: SandboxAddresses | undefined,
): OpenIdProvider[] {
  const named = { id: "google", label: "Google" } as const;
  const providers: OpenIdProvider[] = [];
  if (google) providers.push({ ...named, ...google, issuer: "https://accounts.google.com" });
  else if (sandbox) providers.push({ ...named, ...sandboxGoogle, issuer: `${sandbox.url}/google` });
  if (oidc) providers.push({ id: "oidc", ...oidc });
  return providers;
}

function smtp({ smtpUrl, mailFrom: from }: Config, sandbox: SandboxAddresses | undefined) {
  if (smtpUrl !== undefined) return { url: smtpUrl, from, inboxUrl: null };
  const { url, smtpUrl: sandboxSmtp } = sandbox ?? unreachable;
  return { url: sandboxSmtp, from, inboxUrl: sandbox ? `${url}/mail` : null };
}
