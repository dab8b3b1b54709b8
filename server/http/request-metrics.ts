import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { ErrorCode } from "#contract/errors.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { isProbe } from "./probes.ts";

const diskFull: ErrorCode = "DISK_FULL";

/** Measures the requests that Fastify answers, but probes. Those of rendering a page have no socket: the page was counted. */
export function measureRequests(app: FastifyInstance, { requests }: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    if (request.raw.socket instanceof Socket && !isProbe(request)) {
      const { method, routeOptions } = request;
      const answered = { method, route: routeOf(routeOptions.url), status: reply.statusCode };
      const isStream = reply.raw.getHeader("content-type") === "text/event-stream";
      if (request.errorCode === diskFull) requests.countDiskFull();
      requests.observe(answered, isStream ? undefined : reply.elapsedTime / 1_000);
    }
    done();
  });
}

/** Each built file has a route of its own. */
function routeOf(url: string | undefined): string {
  if (url === undefined) return "none";
  return url.startsWith("/assets/") ? "/assets/*" : url;
}
