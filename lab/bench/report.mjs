import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/run.mjs";

const columns = [
  "laptops",
  "scenario",
  "connections",
  "rate",
  "floorRate",
  "ratio",
  "p50",
  "p99",
  "floorP99",
];

export function printRows(rows) {
  console.table(rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]]))));
}

export function printRest(run) {
  if (run.process) console.dir(run.process, { depth: null });
  if (run.lighthouse) console.table(run.lighthouse);
}

export function writeReport(run) {
  writeFileSync(join(root, "docs/performance.md"), markdownOf(run));
}

function markdownOf({ at, node, placement, sizes, rows, process, lighthouse }) {
  const filled = sizes.map(
    ({ laptops, fillSeconds }) => `${laptops.toLocaleString("en")} in ${fillSeconds} s`,
  );
  return `# Performance

Written by \`npm run bench\` on ${at.slice(0, 10)}, Node ${node}, ${placement}. Do not edit it. The machine affects our rates and those of the floors alike, so compare ratios.

Every call is measured beside its floor in the same run: what is public beside bare \`node:http\` with the same bytes and headers, what asks the database beside \`node:http\` with \`pg\` and the same rows, a payment beside the sandbox's own answer. The ratio is our rate to the floor's; times are in milliseconds. Shops were filled with laptops, a fifth as many members and three tenths as many bookings: ${filled.join(", ")}.

## Calls

${table(columns, rows)}

## Start, memory and uploads

${processTable(process)}

## Pages

Compressed bytes of a page and of what its HTML names up front.

${table(
  ["page", "html", "elements", "script", "css"],
  Object.entries(process.pages).map(([page, of]) => ({ page, ...of })),
)}

## Lighthouse

Mobile, medians of five runs; Chromium and the server shared the machine.

${table(
  ["page", ...Object.keys(Object.values(lighthouse)[0])],
  Object.entries(lighthouse).map(([page, of]) => ({ page, ...of })),
)}
`;
}

function processTable({ firstStartMs, warmStartMs, startCpuMs, memory, uploads }) {
  const megabytes = (of) => (of ? `${of.rss} MB (${of.pss} MB proportional)` : "unknown");
  const figures = {
    "first start, with the demo's data": `${firstStartMs} ms`,
    "warm start, median": `${warmStartMs} ms, ${startCpuMs} ms of CPU`,
    "memory after the first start": megabytes(memory.afterDemo),
    "memory after a warm start": megabytes(memory.afterStart),
    "memory after load and 20 photos": megabytes(memory.afterLoad),
    "photos of 12 megapixels": `${uploads.photosPerSecond} a second, ${uploads.cpuMsWithAvif} ms of CPU each, AVIF included`,
    "Home's p99, alone and beside 20 photos": `${uploads.homeP99Alone} ms, ${uploads.homeP99Beside} ms`,
  };
  return table(
    ["what", "measured"],
    Object.entries(figures).map(([what, measured]) => ({ what, measured })),
  );
}

function table(names, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const body = rows.map((row) => line(names.map((name) => row[name] ?? "")));
  return [line(names), line(names.map(() => "---")), ...body].join("\n");
}
