import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

const resolutionMs = 20;
const windowMs = 10_000;

/** How late timers run, in seconds. */
type EventLoopDelays = { p50: number; p99: number; max: number };

/** Reports the worse of the current and the previous ten-second window. */
export function watchEventLoop(registry: Registry) {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let last = now();
  const timer = setInterval(() => {
    last = now();
    histogram.reset();
  }, windowMs).unref();

  new Gauge({
    name: "secondlap_event_loop_delay_seconds",
    help: "How late timers ran in the last 10 to 20 seconds",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      const { p50, p99, max } = read();
      this.set({ quantile: "0.5" }, p50);
      this.set({ quantile: "0.99" }, p99);
      this.set({ quantile: "1" }, max);
    },
  });

  function now(): EventLoopDelays {
    const { max } = histogram;
    return {
      p50: delayOf(histogram.percentile(50)),
      p99: delayOf(histogram.percentile(99)),
      max: delayOf(max),
    };
  }

  function read(): EventLoopDelays {
    const current = now();
    return {
      p50: Math.max(last.p50, current.p50),
      p99: Math.max(last.p99, current.p99),
      max: Math.max(last.max, current.max),
    };
  }

  return {
    read,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** In seconds. Node records the time between two timers, which includes the resolution. */
function delayOf(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000);
}
