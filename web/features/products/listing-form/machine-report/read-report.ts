import * as linux from "./linux-reports.ts";
import * as mac from "./mac-reports.ts";
import { type Machine, type ReportedFacts, toFacts } from "./to-facts.ts";
import * as windows from "./windows-reports.ts";

type Format = { name: string; signature: RegExp; read: (text: string) => Machine };

/** The report formats. The first matching signature wins; the last is a fallback for most text. */
const formats: Format[] = [
  {
    name: "powercfg /batteryreport /xml",
    signature: /<BatteryReport[\s>]/,
    read: windows.readBatteryXml,
  },
  { name: "powercfg /batteryreport", signature: /DESIGN CAPACITY/, read: windows.readBatteryPage },
  {
    name: "system_profiler -json",
    signature: /"SP[A-Z]\w{2,40}DataType"/,
    read: mac.readSystemProfilerJson,
  },
  { name: "lshw -json", signature: /"(?:class|id)"\s{0,5}:\s{0,5}"/, read: linux.readLshw },
  { name: "dmidecode", signature: /# dmidecode|DMI type \d/, read: linux.readDmidecode },
  { name: "upower -i", signature: /energy-full(?:-design)?:/, read: linux.readUpower },
  {
    name: "coconutBattery",
    signature: /coconutBattery|load ?cycles:|Design capacity: {0,9}\d/i,
    read: mac.readCoconutBattery,
  },
  {
    name: "system_profiler",
    signature: /Hardware Overview:|Model Identifier:|Battery Information:|Chipset Model:/,
    read: mac.readSystemProfiler,
  },
  {
    name: "inxi",
    signature: /^(?:System|Machine|Battery|CPU|Graphics|Drives):\s+[A-Z][\w-]*: /m,
    read: linux.readInxi,
  },
  { name: "systeminfo or msinfo32", signature: /[:\t]/, read: windows.readSystemInfo },
];

export type MachineReport = { format: string; facts: ReportedFacts };

/** Reads only the facts in `ReportedFacts`. Undefined if the text has none of them. */
export function readReport(report: string): MachineReport | undefined {
  const text = plainText(report);
  const format = formats.find(({ signature }) => signature.test(text));
  if (!format) return undefined;
  const facts = toFacts(format.read(text));
  return Object.keys(facts).length === 0 ? undefined : { format: format.name, facts };
}

/** Real reports are far shorter. */
export const maxReportBytes = 2_000_000;

/** Decodes UTF-16, which Windows writes, or UTF-8. */
export function decodeReport(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const looksLikeUtf16 = bytes.length > 8 && [1, 3, 5, 7].every((at) => bytes[at] === 0);
  return new TextDecoder(looksLikeUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** Truncates the report, removes color codes, and normalizes spaces and line endings. */
function plainText(report: string): string {
  return report
    .slice(0, maxReportBytes)
    .replaceAll(/[^\P{Cc}\s]\[[\d;]{0,20}[A-Za-z]/gu, "")
    .replaceAll(/[^\P{Cc}\s](?:\d{1,2}(?:,\d{1,2})?)?|\p{Cf}/gu, "")
    .replaceAll(/[\u00a0\u2007\u2009\u202f]/g, " ")
    .replaceAll(/\r\n?/g, "\n");
}
