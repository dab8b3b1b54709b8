import { readDiskGb, readMemoryGb, readResolution, readWhole } from "./quantities.ts";
import { firstValue, type Row, rowsOf } from "./report-text.ts";
import type { Battery, Machine } from "./to-facts.ts";

/** Row names in four languages. `.{1,3}` matches a letter garbled by a wrong encoding. */
const keys = {
  os: /^(os name|betriebssystemname|nom du syst.{1,3}me d.exploitation|nombre del (sistema operativo|so))$/,
  maker:
    /^(system manufacturer|systemhersteller|fabricant du syst.{1,3}me|fabricante del sistema)$/,
  model: /^(system model|systemmodell|mod.{1,3}le du syst.{1,3}me|modelo d?el sistema)$/,
  installed:
    /^(installed physical memory \(ram\)|installierter physischer speicher \(ram\)|m.{1,3}moire physique \(ram\) install.{1,3}e|memoria f.{1,3}sica instalada \(ram\))$/,
  usable:
    /^(total physical memory|gesamter physischer speicher|m.{1,3}moire physique totale|cantidad total de memoria f.{1,3}sica|memoria f.{1,3}sica total)$/,
  cpu: /^(processor|prozessor|processeur|procesador)$/,
  name: /^(name|nom|nombre)$/,
  resolution: /^(resolution|auflosung|resolucion)$/,
  size: /^(size|gro.{1,3}e|taille|tamano)$/,
};

const sections = {
  display: /^(display|anzeige|affichage|pantalla|mostrar)/,
  disks: /^(disks|datentrager|disques|discos)/,
};

/** Drops the text after a tab: it belongs to the next row, because a line break was lost. */
function cutAtTab(row: Row): Row {
  const [value = ""] = row.value.split("\t", 1);
  return { ...row, value: value.trim() };
}

/** Reads `systeminfo` output, and the text that `msinfo32` exports. */
export function readSystemInfo(text: string): Machine {
  const rows = rowsOf(text, /^\[(.{1,60})\]$/).map(cutAtTab);
  const memory = firstValue(rows, keys.installed) ?? firstValue(rows, keys.usable);
  const display = rows.filter(({ section }) => sections.display.test(section));
  const named = display.filter(({ key, value }) => keys.name.test(key) && value !== "");
  const sizes = rows.filter(
    ({ section, key }) => sections.disks.test(section) && keys.size.test(key),
  );
  const cpu = firstValue(rows, keys.cpu);
  return {
    brand: firstValue(rows, keys.maker),
    model: firstValue(rows, keys.model),
    cpu: cpu?.includes("Family") ? undefined : cpu?.split(/, (?=\d)/)[0],
    gpus: named.map(({ value }) => value),
    ram_gb: readMemoryGb(memory),
    storage_gb: readDiskGb(sizes[0]?.value),
    screen: readResolution(firstValue(display, keys.resolution)),
    operating_system: firstValue(rows, keys.os),
  };
}

const makers =
  /^(Dell Inc\.|ASUSTeK COMPUTER INC\.|Micro-Star International Co\., Ltd\.|SAMSUNG ELECTRONICS CO\., LTD\.|Microsoft Corporation|\S+) +(.*)$/i;

/** Reads a `powercfg` battery report as HTML, or as the page's text without markup. */
export function readBatteryPage(html: string): Machine {
  const rows = rowsOf(tablesAsText(html));
  const columns = (key: RegExp) => columnsOf(rows, key);
  const [product = ""] = columns(/^system product name$/);
  const [, brand, model] = makers.exec(product) ?? [];
  const full = columns(/^full charge capacity$/);
  const batteries = batteriesOf(columns(/^design capacity$/), full, columns(/^cycle count$/));
  return { brand, model, batteries };
}

/** Each list has one value per battery. */
function batteriesOf(designs: string[], full: string[], cycles: string[]): Battery[] {
  return designs.map((design, index) => ({
    design: readWhole(design),
    full: readWhole(full[index]),
    cycles: readWhole(cycles[index]),
  }));
}

function columnsOf(rows: Row[], key: RegExp): string[] {
  return (
    firstValue(rows, key)
      ?.split("\t")
      .map((cell) => cell.trim())
      .filter(Boolean) ?? []
  );
}

function tablesAsText(html: string): string {
  if (!/<td|<span/i.test(html)) return html;
  return html
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<\/?(?:tr|table|body|html|h[1-6]|div|p)\b[^<>]{0,300}>/gi, "\n")
    .replaceAll(/<\/t[dh]>/gi, "\t")
    .replaceAll(/<[^<>]{0,300}>/g, "")
    .replaceAll(/&nbsp;|&#160;/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll(/ *\t */g, "\t");
}

export function readBatteryXml(xml: string): Machine {
  const texts = (tag: string) =>
    [...xml.matchAll(new RegExp(`<${tag}>([^<\n]{0,200})<`, "g"))].map(([, text = ""]) => text);
  const [brand] = texts("SystemManufacturer");
  const [model] = texts("SystemProductName");
  const full = texts("FullChargeCapacity");
  const batteries = batteriesOf(texts("DesignCapacity"), full, texts("CycleCount"));
  return { brand, model, batteries };
}
