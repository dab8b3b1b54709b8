import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { z } from "zod";
import { type ErrorBody, type ErrorCode, errorStatus } from "#contract/errors.ts";
import { leaveOutControls } from "#contract/text.ts";
import { isDatabaseUnavailable } from "../db/unavailable.ts";
import { AppError, Overloaded, TooManyRequests } from "../errors.ts";
import { isProbe } from "./logging.ts";
import { uncacheable } from "./security-headers.ts";

declare module "fastify" {
  interface FastifyRequest {
    errorCode: string;
  }
}

/** Throws `NOT_FOUND`. */
export function handleUnknownRoute(): never {
  throw new AppError("NOT_FOUND", "We couldn't find that.");
}

/** Logs unexpected errors, and hides their details from the caller. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const body = toErrorBody(error, request);
  const status = errorStatus[body.code as ErrorCode];
  const isOverloaded = error instanceof Overloaded;
  if (status >= 500 && !isOverloaded && !isProbe(request))
    request.log.error({ err: error }, "request failed");
  request.errorCode = body.code;
  if (status === 503) reply.header("retry-after", "1");
  if (isOverloaded || error instanceof TooManyRequests)
    reply.header("retry-after", String(error.retryAfter));
  return reply
    .code(status)
    .header("cache-control", uncacheable)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send({ ...body, ...(acknowledges(request) && { acknowledged: false }) });
}

function toErrorBody(error: FastifyError, request: FastifyRequest): ErrorBody {
  if (error instanceof AppError)
    return { ...error.body, ...(error.status >= 500 && { requestId: request.id }) };
  if (hasZodFastifySchemaValidationErrors(error)) return toInvalidInput(error);
  const known = fastifyBody(error);
  if (known) return known;
  if (isUnstorable(error)) return { message: leaveOutControls, code: "INVALID_INPUT" };
  if (isAborted(error)) return { message: "What you sent was cut off.", code: "BAD_REQUEST" };
  if (isDiskFull(error)) {
    const message =
      "Our disk is full, so we can't save anything right now. Please try again later.";
    return { message, code: "DISK_FULL", requestId: request.id };
  }
  if (isDatabaseUnavailable(error)) {
    const message = "We can't reach our records for the moment. Please try again in a few seconds.";
    return { message, code: "UNAVAILABLE", requestId: request.id };
  }
  const message = `Something went wrong on our side. Please try again; if it stays, tell us the number ${request.id}.`;
  return { message, code: "INTERNAL", requestId: request.id };
}

/** Whether PostgreSQL's disk (53100) or this node's disk is full. */
function isDiskFull({ code }: { code: string }): boolean {
  return ["53100", "ENOSPC", "EDQUOT"].includes(code);
}

type InvalidInput = {
  validation: { instancePath: string; message?: string | undefined }[];
  validationContext?: string;
};

function toInvalidInput({ validation, validationContext }: InvalidInput): ErrorBody {
  // A malformed id in the path gets 404, like an unknown id.
  if (validationContext === "params")
    return { message: "We couldn't find that.", code: "NOT_FOUND" };
  const fields: Record<string, string> = {};
  for (const { instancePath, message } of validation) {
    const field = instancePath.split("/").filter(Boolean).join(".");
    if (field !== "") fields[field] ??= message ?? "Please check this.";
  }
  const queryMessage = validationContext === "querystring" ? validation[0]?.message : undefined;
  const message = Object.values(fields)[0] ?? queryMessage ?? "Please send a JSON object.";
  return { message, code: "INVALID_INPUT", fields };
}

/** Undefined for errors of libraries such as Stripe's, whose statusCode isn't for our callers. */
function fastifyBody({ code, statusCode = 500 }: FastifyError): ErrorBody | undefined {
  if (!code?.startsWith("FST_") && statusCode !== 429) return undefined;
  const isClientError = statusCode >= 400 && statusCode < 500;
  return (
    fastifyBodies[code] ?? fastifyBodies[statusCode] ?? (isClientError ? badRequest : undefined)
  );
}

const badRequest: ErrorBody = {
  message: "That request could not be understood.",
  code: "BAD_REQUEST",
};

/** By Fastify's error code or by status. */
const fastifyBodies: Record<string | number, ErrorBody> = {
  // A path that points outside the static files folder.
  FST_STATIC_FORBIDDEN_PATH: { message: "We couldn't find that.", code: "NOT_FOUND" },
  FST_ERR_CTP_INVALID_JSON_BODY: { message: "The body is not valid JSON.", code: "BAD_REQUEST" },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    message: "The body is empty; send a JSON object.",
    code: "BAD_REQUEST",
  },
  404: { message: "We couldn't find that.", code: "NOT_FOUND" },
  413: { message: "That is too large to send.", code: "TOO_LARGE" },
  415: { message: "Send this as application/json.", code: "UNSUPPORTED_TYPE" },
  429: {
    message: "That was a lot at once. Please wait a moment and try again.",
    code: "TOO_MANY_REQUESTS",
  },
};

/** Whether PostgreSQL rejected a text with a NUL character, in a column or in JSON. */
function isUnstorable({ code }: FastifyError): boolean {
  return code === "22021" || code === "22P05";
}

function isAborted({ code, message }: FastifyError): boolean {
  return code === "ECONNRESET" && message === "aborted";
}

/** Whether the call's response has `acknowledged`. Bad URLs have no route and no `config`. */
function acknowledges({ routeOptions }: FastifyRequest): boolean {
  const answers = Object.values(routeOptions.config?.call?.answers ?? {});
  return answers.some((answer) => answer instanceof z.ZodObject && "acknowledged" in answer.shape);
}
