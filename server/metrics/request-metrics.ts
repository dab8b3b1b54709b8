import { Counter, Histogram, type Registry } from "prom-client";

/** `route` is the matched pattern or `none`, never the request's URL. */
type AnsweredRequest = { method: string; route: string; status: number };

/** Other methods that clients send must not become labels. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);

export function createRequestMetrics(registry: Registry) {
  /** `slow`: requests that took over a second. */
  const totals = { requests: 0, errors: 0, slow: 0, diskFull: 0 };
  /** Cached responses since the last scrape, by route and status. */
  const hits = new Map<string, Map<number, number>>();
  const requests = new Counter({
    name: "secondlap_http_requests_total",
    help: "Answered requests without probes, by method, route and status",
    labelNames: ["method", "route", "status"],
    registers: [registry],
    collect() {
      for (const [route, counts] of hits)
        for (const [status, count] of counts) this.inc({ method: "GET", route, status }, count);
      hits.clear();
    },
  });
  const diskFull = new Counter({
    name: "secondlap_disk_full_errors_total",
    help: "Requests that failed because a disk of this node or of PostgreSQL was full",
    registers: [registry],
  });
  const times = new Histogram({
    name: "secondlap_http_request_seconds",
    help: "From the headers of a request to the end of its answer, by method and route, without probes, event streams and answers from the cache",
    labelNames: ["method", "route"],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    totals,
    /** Avoids `prom-client`, which would slow down cached responses. */
    countHit(route: string, status: number): void {
      totals.requests += 1;
      const hitsByStatus = hits.get(route);
      if (hitsByStatus) hitsByStatus.set(status, (hitsByStatus.get(status) ?? 0) + 1);
      else hits.set(route, new Map([[status, 1]]));
    },
    countDiskFull(): void {
      totals.diskFull += 1;
      diskFull.inc();
    },
    observe({ method: sent, route, status }: AnsweredRequest, seconds?: number): void {
      const method = methods.has(sent) ? sent : "other";
      requests.inc({ method, route, status });
      totals.requests += 1;
      if (status >= 500) totals.errors += 1;
      if (seconds !== undefined && seconds > 1) totals.slow += 1;
      if (seconds !== undefined) times.observe({ method, route }, seconds);
    },
  };
}
