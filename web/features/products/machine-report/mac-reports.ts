import { objectsIn, readLenientJson, textIn } from "./lenient-json.ts";
import {
  readDecimal,
  readDiskGb,
  readMemoryGb,
  readResolution,
  readWhole,
  toDiskSize,
  toInstalledMemory,
} from "./quantities.ts";
import { firstValue, rowsOf } from "./report-text.ts";
import type { Machine } from "./to-facts.ts";

export function readSystemProfiler(text: string): Machine {
  const rows = rowsOf(text, /^\s*(\S.{0,80}):$/);
  const capacities = rows.filter(
    ({ key, value }) => key === "capacity" && /bytes|[gt]b/i.test(value),
  );
  const gpus = rows.filter(({ key }) => key === "chipset model").map(({ value }) => value);
  return {
    brand: "Apple",
    model: firstValue(rows, /^model name$/),
    cpu: firstValue(rows, /^(chip|processor name)$/),
    gpus: gpus.filter((gpu) => !gpu.startsWith("Apple M")),
    ram_gb: toInstalledMemory(readMemoryGb(firstValue(rows, /^memory$/))),
    storage_gb: toDiskSize(readDiskGb(capacities[0]?.value), "apple"),
    screen: readResolution(firstValue(rows, /^resolution$/)),
    batteries: [
      {
        health: readDecimal(firstValue(rows, /^maximum capacity$/)),
        cycles: readWhole(firstValue(rows, /^cycle count$/)),
      },
    ],
    operating_system: systemOf(firstValue(rows, /^system version$/)),
  };
}

export function readSystemProfilerJson(json: string): Machine {
  const objects = objectsIn(readLenientJson(json));
  const first = (...keys: string[]) => {
    for (const key of keys)
      for (const object of objects) if (textIn(object, key)) return textIn(object, key);
    return undefined;
  };
  const gpus = objects.flatMap((object) => textIn(object, "sppci_model") ?? []);
  const bytes = Number(first("size_in_bytes"));
  return {
    brand: "Apple",
    model: first("machine_name"),
    cpu: first("chip_type", "cpu_type"),
    gpus: gpus.filter((gpu) => !gpu.startsWith("Apple M")),
    ram_gb: toInstalledMemory(readMemoryGb(first("physical_memory"))),
    storage_gb: toDiskSize(bytes > 0 ? bytes / 1e9 : undefined, "apple"),
    screen: readResolution(first("_spdisplays_pixels", "spdisplays_pixelresolution")),
    batteries: [
      {
        health: readDecimal(first("sppower_battery_health_maximum_capacity")),
        cycles: readWhole(first("sppower_battery_cycle_count")),
      },
    ],
    operating_system: systemOf(first("os_version")),
  };
}

/** Drops the build number: "macOS 14.4.1 (23E224)" becomes "macOS 14.4.1". */
function systemOf(version: string | undefined): string | undefined {
  return version?.replace(/ ?\(.*$/, "");
}

/** Reads the text that coconutBattery copies to the clipboard. */
export function readCoconutBattery(text: string): Machine {
  const rows = rowsOf(text, /^$/);
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
