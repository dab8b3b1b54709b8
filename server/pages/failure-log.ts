import type { FastifyInstance } from "fastify";

/** Logs rendering errors through the server's log, which redacts them. */
export function failureLog({ log }: FastifyInstance): (error: unknown) => void {
  return (error) => log.error({ err: error }, "rendering failed");
}
