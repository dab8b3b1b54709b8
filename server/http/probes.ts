import type { FastifyRequest } from "fastify";
import { isHealthy, isReady } from "#contract/operations.ts";

const paths: (string | undefined)[] = [isHealthy.path, isReady.path];

/**
 * Whether a load balancer is checking this node. Several check every second, and would drown out
 * visitors' requests in logs and metrics.
 */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return paths.includes(routeOptions.url);
}
