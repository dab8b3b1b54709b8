import type { FastifyInstance } from "fastify";

/** Logs what failed while a page was rendered, through the program's log and its redaction. */
export function failureLog({ log }: FastifyInstance): (error: unknown) => void {
  return (error) => log.error({ err: error }, "rendering failed");
}
