import { z } from "zod";

/** OpenTelemetry's own names; its library reads the other variables of the exporter, such as its headers, itself. */
export const tracingFields = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default("secondlap"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("must be a part between 0 and 1, such as 0.01")
    .min(0, "must be at least 0")
    .max(1, "must be at most 1")
    .default(0.01),
};

type TracingFields = z.output<z.ZodObject<typeof tracingFields>>;

/** Undefined without a collector: then nothing of OpenTelemetry is loaded. */
export function tracingSettings(set: TracingFields) {
  if (set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return {
    endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: set.OTEL_SERVICE_NAME,
    ratio: set.OTEL_TRACES_SAMPLER_ARG,
  };
}
