import { z } from "zod";
import { commaSeparated } from "./fields.ts";

/** Named by OpenTelemetry, which itself reads other variables, such as the exporter's headers. */
export const tracingFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default("secondlap"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("must be a part between 0 and 1, such as 0.01")
    .min(0, "must be at least 0")
    .max(1, "must be at most 1")
    .default(0.01),
  // OpenTelemetry accepts traceparent by default. We don't: proxies forward visitors' headers.
  OTEL_PROPAGATORS: commaSeparated.default(["none"]),
};

type TracingFields = z.output<z.ZodObject<typeof tracingFields>>;

/** `baggage` is accepted but ignored. */
const propagators = ["none", "tracecontext", "baggage"];

/** Without a collector, the settings are not checked. */
export function tracingProblems(set: TracingFields & { TRUST_PROXY: readonly string[] }): string[] {
  if (set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return [];
  const { OTEL_PROPAGATORS: names, TRUST_PROXY } = set;
  if (names.some((name) => !propagators.includes(name)))
    return ["OTEL_PROPAGATORS must be none or tracecontext."];
  if (names.includes("tracecontext") && TRUST_PROXY.length === 0)
    return [
      "TRUST_PROXY must be set if OTEL_PROPAGATORS is tracecontext: which proxies decide what is traced. Or set OTEL_PROPAGATORS to none.",
    ];
  return [];
}

/** Undefined without a collector. Then, only OpenTelemetry's API is loaded. */
export function tracingSettings(set: TracingFields) {
  if (set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return {
    endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: set.OTEL_SERVICE_NAME,
    ratio: set.OTEL_TRACES_SAMPLER_ARG,
    readTraceparent: set.OTEL_PROPAGATORS.includes("tracecontext"),
  };
}
