import { setTimeout as wait } from "node:timers/promises";
import { FastifyOtelInstrumentation } from "@fastify/otel";
import proxyAddr from "@fastify/proxy-addr";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { FastifyInstance } from "fastify";
import type { LogEvent } from "kysely";
import type { Config } from "../config.ts";
import { endedQueries } from "../db/database.ts";
import { redact } from "../http/logging.ts";
import { type ProviderCall, providerCalls } from "../metrics/provider-calls.ts";

type TracingSettings = {
  /** The collector's URL for OTLP over HTTP, such as http://127.0.0.1:4318. */
  endpoint: string;
  serviceName: string;
  /** The share of requests and jobs to trace, 0 to 1. */
  ratio: number;
  /** Whether trusted proxies decide which requests to trace, with `traceparent`. */
  readTraceparent: boolean;
};

type Options = TracingSettings & Pick<Config, "trustProxy">;

export type Tracing = {
  /** Call this before the routes are registered. */
  traceRequests(app: FastifyInstance): Promise<void>;
  /** Sends the remaining spans, for at most 2 s. */
  stop(): Promise<void>;
};

/** Spans that take longer to send are lost. */
const timeoutMs = 2_000;

/**
 * Traces requests and jobs, with their queries and calls to hosted services
 * (decisions/metrics-and-traces). Call this before the database is opened.
 */
export function startTracing(options: Options): Tracing {
  const { endpoint, serviceName, ratio, readTraceparent, trustProxy } = options;
  // Trusts only proxies, because visitors could otherwise have all their requests traced.
  const isTrusted = proxyAddr.compile(readTraceparent ? trustProxy : []);
  const url = new URL("v1/traces", endpoint.endsWith("/") ? endpoint : `${endpoint}/`).href;
  const exporter = new RedactingExporter(new OTLPTraceExporter({ url, timeoutMillis: timeoutMs }));
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": serviceName }),
    sampler: new ParentBasedSampler({ root: rootSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  endedQueries.subscribe(traceQuery);
  providerCalls.subscribe(traceProviderCall);
  return {
    async traceRequests(app) {
      // True while routes are registered: `ignorePaths` then decides whether a route gets hooks.
      let isTraced = true;
      const instrumentation = new FastifyOtelInstrumentation({
        // Called for a request right after the `onRequest` hook below has called `done`.
        ignorePaths: () => !isTraced,
        instrumentHooks: false,
        instrumentHandler: false,
        recordExceptions: false,
        requestHook: (span, { id, method, routeOptions }) => {
          span.updateName(`${method} ${routeOptions.url ?? ""}`.trim());
          span.setAttribute("secondlap.request_id", id);
        },
      });
      app.addHook("onRequest", ({ raw, headers }, _, done) => {
        const isDecidedUpstream =
          headers.traceparent !== undefined && isTrusted(raw.socket.remoteAddress ?? "", 0);
        if (!isDecidedUpstream) delete headers.traceparent;
        isTraced = isDecidedUpstream || Math.random() < ratio;
        done();
      });
      await app.register(instrumentation.plugin());
    },
    async stop() {
      endedQueries.unsubscribe(traceQuery);
      providerCalls.unsubscribe(traceProviderCall);
      // `shutdown` rejects if the collector is down. Lost spans must not fail our own shutdown.
      const sent = provider.shutdown().catch(() => {});
      await Promise.race([sent, wait(timeoutMs, undefined, { ref: false })]);
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

/**
 * Samples jobs by `ratio`, but keeps every request's span, because `traceRequests` has sampled the
 * requests. Starting spans only to drop them would make the cheapest call 8% slower
 * (decisions/metrics-and-traces).
 */
function rootSampler(ratio: number): Sampler {
  const jobs = new TraceIdRatioBasedSampler(ratio);
  const requests = new AlwaysOnSampler();
  return {
    shouldSample: (parent, traceId, _name, kind) =>
      kind === SpanKind.SERVER ? requests.shouldSample() : jobs.shouldSample(parent, traceId),
  };
}

function traceQuery(message: unknown): void {
  const { query, queryDurationMillis, level } = message as LogEvent;
  const [operation = ""] = query.sql.trimStart().split(/\s/, 1);
  addEndedSpan(operation.toUpperCase(), {
    milliseconds: queryDurationMillis,
    hasFailed: level === "error",
    // Values are passed as parameters, so the SQL text doesn't contain them.
    attributes: { "db.system.name": "postgresql", "db.query.text": query.sql },
  });
}

function traceProviderCall(message: unknown): void {
  const { service, outcome, seconds } = message as ProviderCall;
  addEndedSpan(`call ${service}`, {
    milliseconds: seconds * 1_000,
    hasFailed: outcome === "failed",
    attributes: { "peer.service": service, "secondlap.outcome": outcome },
  });
}

type Ended = {
  milliseconds: number;
  hasFailed: boolean;
  attributes: Record<string, string>;
};

/** Adds a span only within a request or job. A trace of one background query would be useless. */
function addEndedSpan(name: string, { milliseconds, hasFailed, attributes }: Ended): void {
  const parent = trace.getActiveSpan();
  if (!parent?.isRecording()) return;
  const endTime = Date.now();
  const startTime = endTime - milliseconds;
  const span = trace
    .getTracer("secondlap")
    .startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime });
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endTime);
}

/** Removes email addresses, tokens and query strings from exported spans, as in the log. */
class RedactingExporter implements SpanExporter {
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
