import { channel } from "node:diagnostics_channel";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Service } from "#contract/health.ts";

/** `refused`: the service declined the request. `not_sent`: too many calls were under way. */
export type CallOutcome = "answered" | "refused" | "failed" | "not_sent";

export type ProviderCall = { service: Service; outcome: CallOutcome; seconds: number };

/** Adapters publish a `ProviderCall` here after each call. */
export const providerCalls = channel("secondlap.provider-calls");

export function countProviderCalls(registry: Registry) {
  const totals: Record<string, number> = {};
  const calls = new Counter({
    name: "secondlap_provider_calls_total",
    help: "Calls of hosted services, by service and outcome: answered, refused, failed or not_sent",
    labelNames: ["service", "outcome"],
    registers: [registry],
  });
  const times = new Histogram({
    name: "secondlap_provider_call_seconds",
    help: "How long a hosted service took to answer or to fail, retries included",
    labelNames: ["service"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers: [registry],
  });
  const count = (message: unknown) => {
    const { service, outcome, seconds } = message as ProviderCall;
    calls.inc({ service, outcome });
    const name = callTotal(service, outcome);
    totals[name] = (totals[name] ?? 0) + 1;
    if (outcome !== "not_sent") times.observe({ service }, seconds);
  };
  providerCalls.subscribe(count);
  return { totals, stop: () => void providerCalls.unsubscribe(count) };
}

/** The key of a service and an outcome in `totals`. */
export function callTotal(service: Service, outcome: CallOutcome): string {
  return `${service} ${outcome}`;
}
