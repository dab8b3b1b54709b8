import { Counter, Histogram, type Registry } from "prom-client";

/** `route` is the matched pattern or `none`, never the request's URL. */
type AnsweredRequest = { method: string; route: string; status: number };

/** Other methods that clients send must not become labels. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);

export class RequestMetrics {
  /** `slow`: requests that took over a second. */
  readonly totals = { requests: 0, errors: 0, slow: 0, diskFull: 0 };
  readonly #requests: Counter<"method" | "route" | "status">;
  /** Cached responses since the last scrape, by route and status. */
  readonly #hits = new Map<string, Map<number, number>>();
  readonly #diskFull: Counter;
  readonly #times: Histogram<"method" | "route">;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: "secondlap_http_requests_total",
      help: "Answered requests without probes, by method, route and status",
      labelNames: ["method", "route", "status"],
      registers: [registry],
      collect: () => this.#addHits(),
    });
    this.#diskFull = new Counter({
      name: "secondlap_disk_full_errors_total",
      help: "Requests that failed because a disk of this node or of PostgreSQL was full",
      registers: [registry],
    });
    this.#times = new Histogram({
      name: "secondlap_http_request_seconds",
      help: "From the headers of a request to the end of its answer, by method and route, without probes, event streams and answers from the cache",
      labelNames: ["method", "route"],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    });
  }

  /** Avoids `prom-client`, which would slow down cached responses. */
  countHit(route: string, status: number): void {
    this.totals.requests += 1;
    const hitsByStatus = this.#hits.get(route);
    if (hitsByStatus) hitsByStatus.set(status, (hitsByStatus.get(status) ?? 0) + 1);
    else this.#hits.set(route, new Map([[status, 1]]));
  }

  #addHits(): void {
    for (const [route, counts] of this.#hits)
      for (const [status, hits] of counts)
        this.#requests.inc({ method: "GET", route, status }, hits);
    this.#hits.clear();
  }

  countDiskFull(): void {
    this.totals.diskFull += 1;
    this.#diskFull.inc();
  }

  observe({ method: sent, route, status }: AnsweredRequest, seconds?: number): void {
    const method = methods.has(sent) ? sent : "other";
    this.#requests.inc({ method, route, status });
    this.totals.requests += 1;
    if (status >= 500) this.totals.errors += 1;
    if (seconds !== undefined && seconds > 1) this.totals.slow += 1;
    if (seconds !== undefined) this.#times.observe({ method, route }, seconds);
  }
}
