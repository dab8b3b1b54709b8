import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { type ErrorBody, type ErrorCode, errorStatus } from "#contract/errors.ts";
import { AppError, Overloaded, TooManyRequests } from "../errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The code a request was refused by; empty where it was not. */
    errorCode: string;
  }
}

/** Answers every error as the contract's refusal; what is not meant for a caller is logged and masked. */
export function handleError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const answer = toAnswer(error, request);
  const status = errorStatus[answer.code as ErrorCode];
  const isOverloaded = error instanceof Overloaded;
  if (status >= 500 && !isOverloaded) request.log.error({ err: error }, "failed");
  request.errorCode = answer.code;
  if (status === 503) reply.header("retry-after", "1");
  if (isOverloaded || error instanceof TooManyRequests)
    reply.header("retry-after", String(error.retryAfter));
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send({ ...answer, ...(acknowledges(request) && { acknowledged: false }) });
}

function toAnswer(error: FastifyError, request: FastifyRequest): ErrorBody {
  if (error instanceof AppError) {
    const { code, message, fields } = error;
    return {
      message,
      code,
      ...(fields && { fields }),
      ...(error.status >= 500 && { requestId: request.id }),
    };
  }
  if (hasZodFastifySchemaValidationErrors(error)) return toInvalid(error);
  // A status that came with another library's error, such as the card provider's, is not our answer.
  const ours = error.code?.startsWith("FST_") || error.statusCode === 429;
  const known = byFastifyCode[error.code] ?? (ours && ofStatus(error.statusCode ?? 500));
  if (known) return known;
  if (isCutOff(error)) return { message: "What you sent was cut off.", code: "BAD_REQUEST" };
  if (isDatabaseAway(error)) {
    const message = "We can't reach our records for the moment. Please try again in a few seconds.";
    return { message, code: "UNAVAILABLE", requestId: request.id };
  }
  const message = `Something went wrong on our side. Please try again; if it stays, tell us the number ${request.id}.`;
  return { message, code: "INTERNAL", requestId: request.id };
}

type Invalid = {
  validation: { instancePath: string; message?: string | undefined }[];
  validationContext?: string;
};

function toInvalid({ validation, validationContext }: Invalid): ErrorBody {
  // An id that can't exist names no such thing.
  if (validationContext === "params")
    return { message: "There is no such thing.", code: "NOT_FOUND" };
  const fields: Record<string, string> = {};
  for (const { instancePath, message } of validation) {
    const field = instancePath.split("/").filter(Boolean).join(".");
    if (field !== "") fields[field] ??= message ?? "Please check this.";
  }
  const [first] = Object.values(fields);
  return { message: first ?? "Please send a JSON object.", code: "INVALID_INPUT", fields };
}

const byFastifyCode: Record<string, ErrorBody> = {
  // A path that leads out of a folder of static files.
  FST_STATIC_FORBIDDEN_PATH: { message: "There is no such thing.", code: "NOT_FOUND" },
  FST_ERR_CTP_INVALID_JSON_BODY: { message: "The body is not valid JSON.", code: "BAD_REQUEST" },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    message: "The body is empty; send a JSON object.",
    code: "BAD_REQUEST",
  },
};

/** The refusal for a status of Fastify's or its plugins': what they blame on the client is never a 500. */
function ofStatus(status: number): ErrorBody | undefined {
  const isClientError = status >= 400 && status < 500;
  return byStatus[status] ?? (isClientError ? notUnderstood : undefined);
}

const notUnderstood: ErrorBody = {
  message: "That request could not be understood.",
  code: "BAD_REQUEST",
};

const byStatus: Record<number, ErrorBody> = {
  404: { message: "There is no such thing.", code: "NOT_FOUND" },
  413: { message: "That is too large to send.", code: "TOO_LARGE" },
  415: { message: "Send this as application/json.", code: "UNSUPPORTED_TYPE" },
  429: {
    message: "That was a lot at once. Please wait a moment and try again.",
    code: "TOO_MANY_REQUESTS",
  },
};

/** What Node says of a request whose client has gone. */
function isCutOff({ code, message }: FastifyError): boolean {
  return code === "ECONNRESET" && message === "aborted";
}

/**
 * PostgreSQL's classes 08, 53 and 57P, a statement it cancelled as it took too long (57014), and what the
 * driver says of a connection that broke, never was, or stays silent.
 */
function isDatabaseAway(error: FastifyError): boolean {
  return (
    /^(08|53|57P|57014)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(error.code ?? "") ||
    /^Connection terminated|^timeout exceeded when trying to connect|^Query read timeout$|^timeout expired$|is not queryable$/.test(
      error.message,
    )
  );
}

function acknowledges(request: FastifyRequest): boolean {
  const answers = Object.values(request.routeOptions.schema?.response ?? {});
  return answers.some(
    (schema) =>
      schema instanceof Object &&
      "shape" in schema &&
      "acknowledged" in Object(schema.shape) &&
      !("code" in Object(schema.shape)),
  );
}
