import { readDecimal, readDiskGb, readMemoryGb, readResolution, readWhole } from "./quantities.ts";
import { firstValue, type Row, readObjects, rowsOf } from "./report-text.ts";
import type { Machine } from "./to-facts.ts";

export function readSystemProfiler(text: string): Machine {
  return machineIn(rowsOf(text));
}

export function readSystemProfilerJson(json: string): Machine {
  const entries = readObjects(json).flatMap((object) => [...object]);
  return machineIn(entries.map(([key, value]) => ({ section: "", key: key.toLowerCase(), value })));
}

function machineIn(rows: Row[]): Machine {
  const gpus = rows.filter(({ key }) => key === "chipset model" || key === "sppci_model");
  const capacity = rows.find(({ key, value }) => key === "capacity" && /bytes|[gt]b/i.test(value));
  const bytes = firstValue(rows, /^size_in_bytes$/);
  const health = firstValue(rows, /^(maximum capacity|sppower_battery_health_maximum_capacity)$/);
  const cycles = firstValue(rows, /^(cycle count|sppower_battery_cycle_count)$/);
  const pixels = /^(resolution|_spdisplays_pixels|spdisplays_pixelresolution)$/;
  const system = firstValue(rows, /^(system version|os_version)$/);
  return {
    brand: "Apple",
    model: firstValue(rows, /^(model name|machine_name)$/),
    cpu: firstValue(rows, /^(chip|chip_type|processor name|cpu_type)$/),
    gpus: gpus.map(({ value }) => value).filter((gpu) => !gpu.startsWith("Apple M")),
    ram_gb: readMemoryGb(firstValue(rows, /^(memory|physical_memory)$/)),
    storage_gb: bytes === undefined ? readDiskGb(capacity?.value) : Number(bytes) / 1e9,
    screen: readResolution(firstValue(rows, pixels)),
    batteries: [{ health: readDecimal(health), cycles: readWhole(cycles) }],
    // Without the build number: "macOS 14.4.1 (23E224)" becomes "macOS 14.4.1".
    operating_system: system?.replace(/ ?\(.*$/, ""),
  };
}

/** Reads the text that coconutBattery copies to the clipboard. */
export function readCoconutBattery(text: string): Machine {
  const rows = rowsOf(text);
  const capacity = (key: RegExp) => readWhole(firstValue(rows, key)?.split("mAh")[0]);
  return {
    brand: "Apple",
    batteries: [
      {
        design: capacity(/^(battery )?design capacity$/),
        full: capacity(/^(full charge capacity|battery capacity|maximum charge)$/),
        health: readDecimal(firstValue(rows, /^(battery )?health$/)),
        cycles: readWhole(firstValue(rows, /^(battery )?(loadcycles|load cycles|cycle count)$/)),
      },
    ],
  };
}
