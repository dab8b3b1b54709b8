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
import { firstValue, linesOf, type Row, rowsOf } from "./report-text.ts";
import type { Battery, Machine } from "./to-facts.ts";

/** Lenovo puts the model's name in the version field, and a code in the product field. */
function modelOf(maker = "", product: string | undefined, version: string | undefined) {
  return /^lenovo/i.test(maker) ? (version ?? product) : product?.replace(/ ?\(.*$/, "");
}

export function readLshw(json: string): Machine {
  const nodes = objectsIn(readLenientJson(json));
  const system = nodes.find((node) => textIn(node, "class") === "system");
  const ofClass = (name: string) => nodes.filter((node) => textIn(node, "class") === name);
  const memory = ofClass("memory").find(
    (node) => /^memory/.test(textIn(node, "id") ?? "") && node.size !== undefined,
  );
  const disk = ofClass("disk").find(
    (node) => Number(textIn(node, "size")) > 16e9 && !textIn(node, "businfo")?.startsWith("usb"),
  );
  const [maker, product, version] = ["vendor", "product", "version"].map((key) =>
    textIn(system, key),
  );
  return {
    brand: maker,
    model: modelOf(maker, product, version),
    cpu: ofClass("processor")
      .map((node) => textIn(node, "product"))
      .find(Boolean),
    gpus: ofClass("display").flatMap((node) => {
      const [vendor = "", name] = ["vendor", "product"].map((key) => textIn(node, key));
      return name === undefined ? [] : [`${vendor} ${name}`.trim()];
    }),
    ram_gb: toInstalledMemory(sizeOf(memory, 1024 ** 3)),
    storage_gb: toDiskSize(sizeOf(disk, 1e9), "other"),
  };
}

function sizeOf(node: Parameters<typeof textIn>[0], unit: number): number | undefined {
  const size = Number(textIn(node, "size"));
  return size > 0 ? size / unit : undefined;
}

export function readDmidecode(text: string): Machine {
  const rows = rowsOf(text, /^(\S.{0,80})$/);
  const system = (key: RegExp) => firstValue(rows, key, /^system information$/);
  const maker = system(/^manufacturer$/);
  const modules = rows
    .filter(({ section, key }) => section === "memory device" && key === "size")
    .map(({ value }) => readMemoryGb(value) ?? 0);
  const installed = modules.reduce((sum, gb) => sum + gb, 0);
  return {
    brand: maker,
    model: modelOf(maker, system(/^product name$/), system(/^version$/)),
    cpu: firstValue(rows, /^version$/, /^processor information$/),
    ram_gb: installed > 0 ? toInstalledMemory(installed) : undefined,
  };
}

/** Reads one or more batteries. */
export function readUpower(text: string): Machine {
  const batteries: Record<string, string>[] = [{}];
  for (const { key, value } of rowsOf(text, /^$/)) {
    const isNext = key === "native-path" && batteries.at(-1)?.[key] !== undefined;
    if (isNext) batteries.push({});
    Object.assign(batteries.at(-1) ?? {}, { [key]: value });
  }
  return {
    batteries: batteries.map((battery) => ({
      design: readDecimal(battery["energy-full-design"]),
      full: readDecimal(battery["energy-full"]),
      health: readDecimal(battery.capacity),
      cycles: readWhole(battery["charge-cycles"]),
    })),
  };
}

/** Also reads `inxi -F` output with `-c0`, without line breaks, or with terminal or IRC colors. */
export function readInxi(text: string): Machine {
  const rows = inxiRows(text);
  const machine = (key: RegExp) => firstValue(rows, key, /^machine$/);
  const maker = machine(/^system$/);
  const memory = firstValue(rows, /^(ram|memory|total)$/, /^(memory|info)$/);
  const diagonal = /\(([\d.,]+)["”″]/.exec(firstValue(rows, /^diag$/, /^graphics$/) ?? "")?.[1];
  return {
    brand: maker,
    model: modelOf(maker, machine(/^product$/), machine(/^v$/)),
    cpu: firstValue(rows, /^model$/, /^cpu$/),
    gpus: rows
      .filter(({ section, key }) => section === "graphics" && /^(device|card)-\d$/.test(key))
      .map(({ value }) => value),
    ram_gb: toInstalledMemory(readMemoryGb(memory)),
    storage_gb: toDiskSize(readDiskGb(firstValue(rows, /^size$/, /^drives$/)), "other"),
    screen: readResolution(firstValue(rows, /^(resolution|res|s-res)$/, /^graphics$/)),
    screen_inches: readDecimal(diagonal),
    batteries: inxiBatteries(rows),
    operating_system: firstValue(rows, /^distro$/, /^system$/),
  };
}

/** `word:` starts a value. A capitalized `Word:` at the start of a line names the section. */
function inxiRows(text: string): Row[] {
  let section = "";
  return linesOf(text).flatMap((line) => {
    const [heading, name] = /^([A-Z][A-Za-z]{1,20}):\s/.exec(line) ?? [];
    if (name !== undefined) section = name.toLowerCase();
    const rest = line.slice(heading?.length ?? 0);
    const starts = [...rest.matchAll(/(?<=^|\s)([A-Za-z][\w-]{0,30}):(?:\s|$)/g)];
    return starts.map((start, index) => {
      const value = rest.slice(start.index + start[0].length, starts[index + 1]?.index);
      return { section, key: (start[1] ?? "").toLowerCase(), value: value.trim() };
    });
  });
}

function inxiBatteries(rows: Row[]): Battery[] {
  const batteries: Battery[] = [];
  for (const { section, key, value } of rows) {
    if (section !== "battery") continue;
    if (key === "condition") {
      const [, full, design] = /([\d.,]{1,12}) ?\/ ?([\d.,]{1,12}) ?Wh/.exec(value) ?? [];
      batteries.push({ full: readDecimal(full), design: readDecimal(design) });
    }
    const battery = batteries.at(-1);
    if (key === "cycles" && battery) battery.cycles = readWhole(value);
  }
  return batteries;
}
