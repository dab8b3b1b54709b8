import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ErrorCode } from "#contract/errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { isProbe } from "./logging.ts";

const diskFull: ErrorCode = "DISK_FULL";
const closed: ErrorCode = "CLOSED";

/**
 * Measures the requests that Fastify answers. Skips probes, and refusals of a closed shop, which
 * must not cause alerts. Also skips calls made while a page renders, which have no socket, because
 * the page itself is counted.
 */
export function measureRequests(app: FastifyInstance, { requests }: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const isMeasured = !isProbe(request) && request.errorCode !== closed;
    if (request.raw.socket instanceof Socket && isMeasured) {
      const { method, routeOptions } = request;
      const answered = { method, route: routeOf(routeOptions.url), status: reply.statusCode };
      const isStream = reply.raw.getHeader("content-type") === "text/event-stream";
      if (request.errorCode === diskFull) requests.countDiskFull();
      requests.observe(answered, isStream ? undefined : reply.elapsedTime / 1_000);
    }
    done();
  });
}

/** Groups the built files under one name, because each file has its own route. */
function routeOf(url: string | undefined): string {
  if (url === undefined) return "none";
  return url.startsWith("/assets/") ? "/assets/*" : url;
}
