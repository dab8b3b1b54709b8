import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { leaveOutControls } from "#contract/text.ts";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";

/** Security headers on every response, and checks of every request's Host and URL. */
export async function registerSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(helmet, {
    // For everything but pages, which set their own policy.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: config.publicUrl.startsWith("https:"),
    // Google's sign-in opens in a popup.
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", async (_, reply) => {
    reply.header("permissions-policy", permissionsPolicy);
  });
  requireOneHost(app);
  // PostgreSQL text cannot contain NUL.
  app.addHook("onRequest", async ({ url }) => {
    if (/^\/api\/.*%00/.test(url)) throw new AppError("INVALID_INPUT", leaveOutControls);
  });
}

/** Rejects a request with two Host headers (RFC 9112, section 3.2), since a proxy may use the other one. */
function requireOneHost(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    const names = raw.rawHeaders.filter((_, index) => index % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === "host").length > 1)
      throw new AppError("BAD_REQUEST", "A request must have exactly one Host header.");
  });
}

/** The product uses none of these browser features. */
const permissionsPolicy = [
  ...["accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope"],
  ...["hid", "magnetometer", "microphone", "midi", "serial", "usb"],
]
  .map((feature) => `${feature}=()`)
  .join(", ");
