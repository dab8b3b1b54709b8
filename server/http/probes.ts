import type { FastifyRequest } from "fastify";
import { isHealthy, isReady } from "#contract/operations.ts";

const paths: (string | undefined)[] = [isHealthy.path, isReady.path];

/**
 * Whether a load balancer asks how this node is. Several ask every second: in log and metrics they would hide how
 * visitors fare.
 */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return paths.includes(routeOptions.url);
}
