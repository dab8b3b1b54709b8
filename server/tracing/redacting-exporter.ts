import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { redact } from "../http/logging.ts";

/** Removes email addresses, tokens and query strings from exported spans, as in the log. */
export class RedactingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter["export"]>[1]): void {
    for (const { attributes, status } of spans) {
      for (const [name, value] of Object.entries(attributes))
        if (typeof value === "string") attributes[name] = redact(value);
      if (status.message !== undefined) status.message = redact(status.message);
    }
    this.#exporter.export(spans, done);
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }
}
