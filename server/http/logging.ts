import { format } from "node:util";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { committedChanges } from "../db/committed-changes.ts";

/**
 * What the log says of requests and errors: which route, never the address that was asked for, since that
 * carries tokens and e-mail addresses; of an error its name, code, message and stack, never what a
 * library has hung on it, such as the row or the card payment it is about.
 */
export function loggerOptions(level: string) {
  return {
    level,
    // Whatever a library has put into a line, by whichever way it came.
    hooks: { streamWrite: redact },
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

/** One line for each request, once it is answered; it says why where that was a refusal. */
export class RequestLogController extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(_: unknown, req: FastifyRequest, res: FastifyReply): void {
    const { errorCode } = req;
    const line = { req, res, ...(errorCode && { errorCode }), responseTime: res.elapsedTime };
    req.log.info(line, "request completed");
  }
}

/** One line for each state change, once it is committed. */
export function logStateChanges(app: FastifyInstance): void {
  const tell = (change: unknown) => app.log.info({ change }, "changed");
  committedChanges.subscribe(tell);
  app.addHook("onClose", async () => void committedChanges.unsubscribe(tell));
}

type Logged = { type: string; code?: string; message: string; stack: string; cause?: Logged };

function toLogged(error: Error & { code?: unknown }): Logged {
  const { name: type, code, message, stack = "", cause } = error;
  return {
    type,
    ...(code !== undefined && { code: String(code) }),
    message: redact(message),
    stack: redact(stack),
    ...(cause instanceof Error && { cause: toLogged(cause) }),
  };
}

/** What a library has put into its sentence: addresses, tokens, keys, queries, and passwords in URLs. */
export function redact(text: string): string {
  return text
    .replaceAll(/[^\s"'<>()=:/?&]+(?:@|%40)[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+/gu, "[address]")
    .replaceAll(
      /\b(Bearer )[^\s"\\]+|\beyJ[\w.-]+|\b(?:sk|rk|whsec)_\w+|_secret_\w+/g,
      "$1[secret]",
    )
    .replaceAll(/(\w+:\/\/)[^\s/@"\\]+@/g, "$1[secret]@")
    .replaceAll(/\?[\w.-]+=[^\s"'\\]*/g, "?[query]")
    .replaceAll(/\b((?:state|token)["']?\s*[=:]\s*["']?|code=)[\w-]{16,}/g, "$1[secret]");
}

/** Sends what libraries write to the console through the log's redaction, to standard error. */
export function redactConsole(): void {
  const write = (...said: unknown[]) => void process.stderr.write(`${redact(format(...said))}\n`);
  for (const level of ["error", "warn", "info", "log", "debug"] as const) console[level] = write;
}
