import type { FastifyRequest } from "fastify";
import { isHealthy, isReady } from "#contract/operations.ts";

const paths: (string | undefined)[] = [isHealthy.path, isReady.path];

/**
 * Whether a load balancer asks how this node is. Several ask every second: they would drown out visitors' requests
 * in logs and metrics.
 */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return paths.includes(routeOptions.url);
}
