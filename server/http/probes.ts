import type { FastifyRequest } from "fastify";
import { isHealthy, isReady } from "#contract/operations.ts";

const paths: (string | undefined)[] = [isHealthy.path, isReady.path];

/**
 * Whether the request is a health check. Load balancers send several health checks a second, which
 * would drown out visitors' requests in logs and metrics.
 */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return paths.includes(routeOptions.url);
}
