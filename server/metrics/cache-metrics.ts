import { Counter, Gauge, type Registry } from "prom-client";

/** The measured values of the public cache. */
export type MeasuredCache = {
  requests: { hits: number; misses: number };
  bytes: number;
  isReadingChanges: boolean;
};

/**
 * Reports whether there is a CDN. The requests of a CDN mostly miss a node's cache, so the alert
 * about misses is off with a CDN.
 */
export function measureCdn(registry: Registry, seconds = 0): void {
  const gauge = new Gauge({
    name: "secondlap_cdn_seconds",
    help: "How long a CDN may keep public answers (CDN_SECONDS); 0 without a CDN",
    registers: [registry],
  });
  gauge.set(seconds);
}

/** Reports the cache hits and misses of visitors' requests, which the cache itself counts. */
export function measureCache(registry: Registry, cache: MeasuredCache): void {
  new Counter({
    name: "secondlap_public_cache_requests_total",
    help: "Requests for public answers: hit (sent from the cache) or miss (waited for a render)",
    labelNames: ["result"],
    registers: [registry],
    collect() {
      this.reset();
      this.inc({ result: "hit" }, cache.requests.hits);
      this.inc({ result: "miss" }, cache.requests.misses);
    },
  });
  new Gauge({
    name: "secondlap_public_cache_bytes",
    help: "Memory of the cached public answers, estimated",
    registers: [registry],
    collect() {
      this.set(cache.bytes);
    },
  });
  new Gauge({
    name: "secondlap_public_cache_current",
    help: "1 while changes of public answers can be read; at 0 nothing that may change is sent from the cache",
    registers: [registry],
    collect() {
      this.set(cache.isReadingChanges ? 1 : 0);
    },
  });
}
