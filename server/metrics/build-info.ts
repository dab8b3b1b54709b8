import { Gauge, type Registry } from "prom-client";
import { version } from "../version.ts";

/** Reports the program's version, so that a dashboard shows which nodes are upgraded. */
export function measureBuild(registry: Registry): void {
  const gauge = new Gauge({
    name: "secondlap_build_info",
    help: "1, with the version of the program as a label",
    labelNames: ["version"],
    registers: [registry],
  });
  gauge.set({ version }, 1);
}
