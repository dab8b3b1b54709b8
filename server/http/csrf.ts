import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";

/**
 * Protects against CSRF. A client that sends neither Origin nor Sec-Fetch-Site is not a browser and
 * has no cookies.
 */
export function rejectCrossSiteWrites(app: FastifyInstance, { origins }: Config): void {
  app.addHook("onRequest", async ({ method, headers }) => {
    if (method === "GET" || method === "HEAD") return;
    const { origin, "sec-fetch-site": site = "none" } = headers;
    const isOurs = origin === undefined || origins.includes(origin);
    if (isOurs && ["same-origin", "none"].includes(String(site))) return;
    throw new AppError(
      "FORBIDDEN",
      "This was sent from another site. Open this shop and try again.",
    );
  });
}
