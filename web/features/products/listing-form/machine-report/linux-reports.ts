import { readDecimal, readDiskGb, readMemoryGb, readResolution, readWhole } from "./quantities.ts";
import { firstValue, linesOf, type Row, readObjects, rowsOf } from "./report-text.ts";
import type { Battery, Machine } from "./to-facts.ts";

/** Lenovo puts the model's name in the version field, and a code in the product field. */
function modelOf(maker = "", product: string | undefined, version: string | undefined) {
  return /^lenovo/i.test(maker) ? (version ?? product) : product?.replace(/ ?\(.*$/, "");
}

export function readLshw(json: string): Machine {
  const nodes = readObjects(json);
  const ofClass = (name: string) => nodes.filter((node) => node.get("class") === name);
  const [system] = ofClass("system");
  const maker = system?.get("vendor");
  const memory = ofClass("memory").find(
    (node) => node.get("id")?.startsWith("memory") && node.has("size"),
  );
  const disk = ofClass("disk").find(
    (node) => Number(node.get("size")) > 16e9 && !node.get("businfo")?.startsWith("usb"),
  );
  return {
    brand: maker,
    model: modelOf(maker, system?.get("product"), system?.get("version")),
    cpu: ofClass("processor")
      .map((node) => node.get("product"))
      .find(Boolean),
    gpus: ofClass("display")
      .filter((node) => node.has("product"))
      .map((node) => `${node.get("vendor") ?? ""} ${node.get("product")}`.trim()),
    ram_gb: Number(memory?.get("size")) / 1024 ** 3,
    storage_gb: Number(disk?.get("size")) / 1e9,
  };
}

export function readDmidecode(text: string): Machine {
  const rows = rowsOf(text, /^(\S.{0,80})$/);
  const system = (key: RegExp) => firstValue(rows, key, /^system information$/);
  const maker = system(/^manufacturer$/);
  const modules = rows
    .filter(({ section, key }) => section === "memory device" && key === "size")
    .map(({ value }) => readMemoryGb(value) ?? 0);
  return {
    brand: maker,
    model: modelOf(maker, system(/^product name$/), system(/^version$/)),
    cpu: firstValue(rows, /^version$/, /^processor information$/),
    ram_gb: modules.reduce((sum, gb) => sum + gb, 0),
  };
}

/** Reads `upower -i` output for one or more batteries. */
export function readUpower(text: string): Machine {
  const batteries: Record<string, string>[] = [{}];
  for (const { key, value } of rowsOf(text)) {
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

/** Reads `inxi -F` output, also with `-c0`, without line breaks, or with terminal or IRC colors. */
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
    ram_gb: readMemoryGb(memory),
    storage_gb: readDiskGb(firstValue(rows, /^size$/, /^drives$/)),
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
