import { Socket } from "node:net";
import { hostname } from "node:os";
import { format } from "node:util";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { ErrorCode } from "#contract/errors.ts";
import { isHealthy, isReady } from "#contract/operations.ts";
import { committedChanges } from "../db/committed-changes.ts";
import { currentRequestId, withRequestId } from "../db/request-id.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { version } from "../version.ts";

/** Omits URLs and most fields of errors, because they may contain personal data. */
export function loggerOptions(level: string) {
  return {
    level,
    base: { pid: process.pid, hostname: hostname(), version },
    hooks: { streamWrite: redact },
    serializers: {
      req: ({ method, routeOptions, ip }: FastifyRequest) => ({
        method,
        route: routeOptions.url ?? "none",
        ip,
      }),
      err: serializeError,
    },
  };
}

/** Logs one line per request, after the response. Probes are logged at `debug`. */
export class RequestLogController extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(_: unknown, req: FastifyRequest, res: FastifyReply): void {
    const { errorCode } = req;
    const line = { req, res, ...(errorCode && { errorCode }), responseTime: res.elapsedTime };
    if (isProbe(req)) req.log.debug(line, "request completed");
    else req.log.info(line, "request completed");
  }
}

/** Sets the request id after the body is read: the body's events run outside any async context. */
export function carryRequestIds(app: FastifyInstance): void {
  app.addHook("preValidation", (request, _, done) => withRequestId(request.id, done));
}

/** Logs one line per committed state change, with the id of the request that caused the change. */
export function logStateChanges(app: FastifyInstance): void {
  const log = (change: unknown) =>
    app.log.info({ reqId: currentRequestId(), change }, "state changed");
  committedChanges.subscribe(log);
  app.addHook("onClose", async () => void committedChanges.unsubscribe(log));
}

type LoggedError = {
  type: string;
  code?: string;
  message: string;
  stack: string;
  cause?: LoggedError;
};

function serializeError(error: Error & { code?: unknown }): LoggedError {
  const { name: type, code, message, stack = "", cause } = error;
  return {
    type,
    ...(code !== undefined && { code: String(code) }),
    message: redact(message),
    stack: redact(stack),
    ...(cause instanceof Error && { cause: serializeError(cause) }),
  };
}

/** Removes email addresses, tokens, keys, query strings, and passwords in URLs. */
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

/** Redacts console output from libraries and sends it to standard error. */
export function redactConsole(): void {
  const write = (...args: unknown[]) => void process.stderr.write(`${redact(format(...args))}\n`);
  for (const level of ["error", "warn", "info", "log", "debug"] as const) console[level] = write;
}

const paths: (string | undefined)[] = [isHealthy.path, isReady.path];

/** Whether the request is a health check. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return paths.includes(routeOptions.url);
}

/**
 * Prefers the cause, because the message is for visitors. An `AggregateError` has an error for each
 * IP address.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error.message;
}

/** Describes the error in one line, without secrets. */
export function failureReason(error: unknown): string {
  return redact(reasonOf(error)).split("\n", 1)[0]?.replace(/\.$/, "") ?? "";
}

/** Such as `failed: connect ECONNREFUSED 127.0.0.1:5432. See DATABASE_URL.` */
export function failureSentence(error: unknown, settings: string): string {
  return `failed: ${failureReason(error)}. See ${settings}.`;
}

const diskFull: ErrorCode = "DISK_FULL";
const closed: ErrorCode = "CLOSED";

/**
 * Skips probes and a closed shop's refusals, which must not cause alerts. Also skips calls made
 * while a page renders, which have no socket: the page itself is counted.
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
