import { Metrics } from "../metrics/metrics.ts";
import type { Shop } from "./shop.ts";

type Labels = Record<string, string | number>;

export function valueIn(text: string, name: string, labels: Labels = {}): number | undefined {
  const parts = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text.split("\n").find((one) => {
    const [series = ""] = one.split(" ");
    return series.split("{")[0] === name && parts.every((part) => series.includes(part));
  });
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

export async function metricOf({ deps }: Shop, name: string, labels: Labels = {}): Promise<number> {
  return valueIn(await deps.metrics.text(), name, labels) ?? 0;
}

/** Reads the current value. The node's own value may be seconds old. */
export async function shopMetricOf(
  { deps, pool }: Pick<Shop, "deps" | "pool">,
  name: string,
  labels: Labels = {},
): Promise<number> {
  const metrics = new Metrics({ ...deps, pool });
  try {
    // Unlike `text`, `health` waits until PostgreSQL has answered.
    await metrics.health();
    return valueIn(await metrics.text(), name, labels) ?? 0;
  } finally {
    metrics.close();
  }
}
