import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";
import { leaveOutControls } from "#contract/text.ts";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";

/** What browsers are told of every answer, and what is refused of what they send. */
export async function registerSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(helmet, {
    // Of an answer that is no page nothing may run; pages bring their own policy.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: config.publicUrl.startsWith("https:"),
    // Google's page opens in a window of its own.
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    xFrameOptions: { action: "deny" },
  });
  app.addHook("onRequest", async (_, reply) => {
    reply.header("permissions-policy", permissions);
  });
  requireOneHost(app);
  refuseOtherSites(app, config);
  // PostgreSQL keeps no text with a NUL, so nothing is asked of it by one.
  app.addHook("onRequest", async ({ url }) => {
    if (/^\/api\/.*%00/.test(url)) throw new AppError("INVALID_INPUT", leaveOutControls);
  });
}

/**
 * Refuses a request with two Host headers (RFC 9112, section 3.2): a proxy may go by the other one. Node
 * itself refuses HTTP/1.1 without any.
 */
function requireOneHost(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    const names = raw.rawHeaders.filter((_, index) => index % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === "host").length > 1)
      throw new AppError("BAD_REQUEST", "A request must have exactly one Host header.");
  });
}

/** Nothing here looks, listens, locates or follows. */
const permissions = [
  ...["accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope"],
  ...["hid", "magnetometer", "microphone", "midi", "serial", "usb"],
]
  .map((feature) => `${feature}=()`)
  .join(", ");

/**
 * Refuses a write that a page of another site makes with a visitor's cookies. Browsers say where a request
 * comes from; whoever says nothing is no browser, and has no cookies but its own.
 */
function refuseOtherSites(app: FastifyInstance, { origins }: Config): void {
  app.addHook("onRequest", async ({ method, headers }) => {
    if (method === "GET" || method === "HEAD") return;
    const { origin, "sec-fetch-site": site = "none" } = headers;
    const isOurs = origin === undefined || origins.includes(origin);
    if (isOurs && ["same-origin", "none"].includes(String(site))) return;
    throw new AppError(
      "FORBIDDEN",
      "This was sent from another site. Open Secondlap and try again.",
    );
  });
}
