import type { Config } from "../config.ts";
import { sandboxGoogle, sandboxKeys } from "../settings/sandbox-credentials.ts";
import type { Sandbox as SandboxProcess } from "./sandbox-process.ts";

type Sandbox = Pick<SandboxProcess, "url" | "smtpUrl">;

/** Whether a hosted service is not configured, so that the sandbox must run. */
export function needsSandbox({ production, stripe, google, smtpUrl }: Config): boolean {
  return !production && !(stripe && google && smtpUrl);
}

/**
 * Connection settings of the hosted services: as configured, otherwise those of the sandbox. With neither,
 * Google is off, and cards and mail use an address where connections are refused.
 */
export function hostedServices(config: Config, sandbox: Sandbox | undefined) {
  return {
    stripe: stripe(config, sandbox),
    google: google(config, sandbox),
    smtp: smtp(config, sandbox),
  };
}

const unreachable = { url: "http://127.0.0.1:9", smtpUrl: "smtp://127.0.0.1:9" };

function stripe(config: Config, sandbox: Sandbox | undefined) {
  if (config.stripe) {
    const { publishableKey } = config.stripe;
    return { ...config.stripe, browser: { publishableKey, scriptUrl: null } };
  }
  const { url } = sandbox ?? unreachable;
  const { hostname, port } = new URL(url);
  const { publishableKey } = sandboxKeys;
  const browser = { publishableKey, scriptUrl: `${url}/stripe/v3/` };
  return { ...sandboxKeys, browser, host: { hostname, port: Number(port) } };
}

const discovery = "/.well-known/openid-configuration";

function google(config: Config, sandbox: Sandbox | undefined) {
  if (config.google) {
    return { ...config.google, discoveryUrl: `https://accounts.google.com${discovery}` };
  }
  return sandbox && { ...sandboxGoogle, discoveryUrl: `${sandbox.url}/google${discovery}` };
}

function smtp({ smtpUrl, mailFrom: from }: Config, sandbox: Sandbox | undefined) {
  if (smtpUrl !== undefined) return { url: smtpUrl, from, inboxUrl: null };
  const { url, smtpUrl: sandboxSmtp } = sandbox ?? unreachable;
  return { url: sandboxSmtp, from, inboxUrl: sandbox ? `${url}/mail` : null };
}
