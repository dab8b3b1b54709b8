import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";

/**
 * Rejects writes from other sites. Writes without Origin and Sec-Fetch-Site pass, because current
 * browsers send at least one of these headers.
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
