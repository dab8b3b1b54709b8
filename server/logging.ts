import type { FastifyRequest } from "fastify";

/**
 * What the log says of requests and errors: which route, never the address that was asked for, since that
 * carries tokens and e-mail addresses; of an error its name, code, message and stack, never what a
 * library has hung on it, such as the row or the card payment it is about.
 */
export function logging(level: string) {
  return {
    level,
    serializers: {
      req: ({ method, routeOptions, ip }: FastifyRequest) => ({
        method,
        route: routeOptions.url ?? "none",
        ip,
      }),
      err: toLogged,
    },
  };
}

type Logged = { type: string; code?: string; message: string; stack: string; cause?: Logged };

function toLogged(error: Error & { code?: unknown }): Logged {
  const { name: type, code, message, stack = "", cause } = error;
  return {
    type,
    ...(code !== undefined && { code: String(code) }),
    message,
    stack,
    ...(cause instanceof Error && { cause: toLogged(cause) }),
  };
}
