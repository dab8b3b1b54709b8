import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import helmet from "helmet";
import { leaveOutControls } from "#contract/text.ts";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";

/**
 * Browsers obey `no-store`. Fastly ignores it, but obeys `private`:
 * https://www.fastly.com/documentation/guides/concepts/edge-state/cache/cache-freshness/
 */
export const uncacheable = "private, no-store";

declare module "fastify" {
  interface FastifyInstance {
    /** On every response. Pages have another content security policy. */
    securityHeaders: Record<string, string>;
  }
}

/** Sets the headers, and rejects requests with several Host headers or a NUL in an API URL. */
export function registerSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = securityHeaders(config);
  app.decorate("securityHeaders", headers);
  app.addHook("onRequest", ({ raw, url }, reply, done) => {
    reply.headers(headers);
    // A proxy may have used the other Host header (RFC 9112, section 3.2).
    if (countHosts(raw) > 1)
      done(new AppError("BAD_REQUEST", "A request must have exactly one Host header."));
    // PostgreSQL text cannot contain NUL.
    else if (/^\/api\/.*%00/.test(url)) done(new AppError("INVALID_INPUT", leaveOutControls));
    else done();
  });
}

/** Computes the headers once, because Helmet sets the same headers for every request. */
function securityHeaders({ publicUrl }: Config): Record<string, string> {
  const headers: Record<string, string> = { "permissions-policy": permissionsPolicy };
  const response = {
    setHeader(name: string, value: string) {
      headers[name.toLowerCase()] = value;
    },
    removeHeader() {},
  };
  helmet({
    // For responses other than pages (server/http/content-security-policy.ts).
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: publicUrl.startsWith("https:"),
    // Sign-in with a provider opens in a popup.
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    xFrameOptions: { action: "deny" },
  })({} as IncomingMessage, response as unknown as ServerResponse, () => {});
  return headers;
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.length === 4 && name.toLowerCase() === "host",
  ).length;
}

/** Disabled, because the product uses none of these features. */
const permissionsPolicy = [
  "accelerometer",
  "browsing-topics",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "serial",
  "usb",
]
  .map((feature) => `${feature}=()`)
  .join(", ");
