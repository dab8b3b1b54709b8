import { readFileSync } from "node:fs";
import { type Measured, monthlyBill, photo } from "./scale-bill.ts";
import { daysUntil, server } from "./scale-kept.ts";
import {
  bytesPerLaptop,
  day,
  emails,
  growth,
  indexPerLaptop,
  jobMs,
  kept,
  measured,
  node,
  pages,
  queries,
  run,
  saleJobs,
  searchMs,
  shops,
  simulated,
  sizes,
  walPerSale,
} from "./scale-measured.ts";
import { bytes, markdown, number } from "./scale-text.ts";

/** `docs/scale.md`: the text, with figures and sums from the measurement files. */
export function scale(): string {
  const text = readFileSync(new URL("scale-text.md", import.meta.url), "utf8");
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`scale-text.md names an unknown part: ${name}`);
    return part();
  });
}

const parts: Record<string, () => string> = {
  node: () =>
    markdown(
      ["one node and one database at 1,000,000 laptops, on two cores", "a second"],
      [
        ["kept page, 10 changes a second, 100 connections", rate("public hit, HTML, 10 changes/s")],
        ["kept JSON, 100 connections", rate("public hit, JSON")],
        ["public call that no cache has", rate("public miss, JSON")],
        ["search", rate("search")],
        ["own call with a token", rate("token read")],
        ["My Orders", rate("My Orders")],
        ["booking", rate("booking")],
        ["payment", rate("payment")],
      ],
    ),
  pages: () =>
    markdown(
      ["page that no cache has", "CPU of the program", "CPU of PostgreSQL", "bytes"],
      pages.pages.map(({ page, nodeMs, postgresMs, bytes }) => [
        page,
        `${nodeMs} ms`,
        `${postgresMs} ms`,
        number(bytes),
      ]),
    ),
  idle: () =>
    markdown(
      ["a further node (process)", ""],
      [
        ["connections at rest; at most 20", `${node.connectionsIdle}`],
        ["statements a second while nobody visits", `${node.statementsPerSecondIdle}`],
        ["jobs a second that find nothing to do, four at once", number(node.jobsPerSecond)],
        [
          "emails a second, one at a time, to a mail server on this machine",
          number(node.emailsPerSecond),
        ],
      ],
    ),
  tables: () =>
    markdown(
      ["table", "rows a laptop", "bytes a row", "of them indexes", "bytes a laptop"],
      [
        ...sizes.tables
          .slice(0, 10)
          .map(({ name, rows, tableBytes, indexBytes }) => [
            `\`${name}\``,
            (rows / sizes.laptops).toFixed(2),
            number((tableBytes + indexBytes) / rows),
            number(indexBytes / rows),
            number((tableBytes + indexBytes) / sizes.laptops),
          ]),
        [
          "all tables",
          "",
          "",
          "",
          `${number(bytesPerLaptop)}, of them indexes ${number(indexPerLaptop)}`,
        ],
      ],
    ),
  wal: () =>
    markdown(
      ["step of a sale", "write-ahead log"],
      [
        ...Object.entries(growth.wal).map(([step, bytes]) => [step, `${number(bytes)} bytes`]),
        ["all", `${number(walPerSale)} bytes`],
      ],
    ),
  jobs: () =>
    markdown(
      ["job", "runs a sale", "each"],
      saleJobs.map(([task, { runs, ms }]) => [`\`${task}\``, number(runs), `${ms} ms`]),
    ),
  kept: () =>
    markdown(
      ["kept for good", "rows a sale", "bytes a sale"],
      [
        ...kept.tables
          .slice(0, 12)
          .map(({ name, rows, bytes }) => [`\`${name}\``, number(rows), number(bytes)]),
        ["all tables", "", `${number(kept.bytes)}, of them indexes ${number(kept.indexBytes)}`],
      ],
    ),
  cdn: () =>
    markdown(
      [
        "laptops",
        "views/s",
        "bookings/s",
        "locations",
        "Zipf",
        "home",
        "category",
        "laptop",
        "seller",
        "all",
        "requests/s at the shop",
      ],
      simulated.map((one) => [
        number(one.laptops),
        number(one.views),
        String(one.bookings),
        String(one.locations),
        String(one.exponent),
        ...["home", "category", "laptop", "seller"].map((kind) => `${one.hits[kind]} %`),
        `${one.allHits} %`,
        number(one.requests),
      ]),
    ),
  sums: () =>
    markdown(
      ["", ...shops.map(({ laptops }) => `${number(laptops)} laptops`)],
      sumRows.map(([name, of]) => [name, ...shops.map((shop) => of(measured(shop)))]),
    ),
  searchLimit: () =>
    `${searchMs} ms of CPU of PostgreSQL at 1,000,000 listings (decisions/search; decisions/search needs two fifths of it): ${each(({ search }) => number((search * searchMs) / 1_000))} cores for the three shops if it stayed so. A search reads its sample and at most some thousands of rows, but the index grows; not measured beyond a million`,
  dates: () =>
    [...new Set([run.at, sizes.at, pages.at].map((at) => at.slice(0, 10)))].join(" and "),
  memoryDays: () => each((one) => daysUntil(server.memory, one.indexBytes, one.keptIndexBytes)),
  diskDays: () => each((one) => daysUntil(server.disk, one.databaseBytes, one.keptBytes)),
  auditDays: () => each((one) => daysUntil(server.disk, one.databaseBytes, one.auditBytes)),
  saleMs: () => number(growth.postgresMs),
  saleCores: () => each(({ saleCores }) => number(saleCores)),
  sales: () => String(growth.sales),
  processes: () => each((one) => number(processes(one))),
  ownConnections: () => each((one) => number(9 * processes(one))),
  purges: () => each((one) => number(10 * processes(one))),
  bill: () => monthlyBill(shops.map(measured)),
  queries: () =>
    markdown(
      ["call", "statements", "round trips"],
      Object.entries(queries)
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([call, { statements, trips }]) => [`\`${call}\``, String(statements), String(trips)]),
    ),
};

const sumRows: [string, (shop: Measured) => string][] = [
  ["page views a second", ({ views }) => number(views)],
  ["bookings a second", ({ bookings }) => number(bookings)],
  ["requests a second that the CDN passes on", ({ requests }) => number(requests)],
  ["of them pages of laptops, each rendered: views × 0.5 × misses", ({ laptop }) => number(laptop)],
  ["of them pages of sellers: views × 0.05 × misses", ({ seller }) => number(seller)],
  ["of them searches: views × 0.1", ({ search }) => number(search)],
  ["of them Home and lists: views × (0.1 and 0.25) × misses", ({ lists }) => number(lists)],
  ["cores of the program: all of these × its CPU above", ({ nodeCores }) => number(nodeCores)],
  ["processes, each half busy: 2 × these cores", (one) => number(processes(one))],
  ["connections: processes × 20", (one) => number(20 * processes(one))],
  ["of them not shared by a pooler: processes × 9", (one) => number(9 * processes(one))],
  [
    "statements a second of processes at rest",
    (one) => number(node.statementsPerSecondIdle * processes(one)),
  ],
  ["of them to each replica as well: 4 × processes", (one) => number(4 * processes(one))],
  ["cores of replicas: pages × CPU of PostgreSQL above", (one) => number(one.readCores)],
  ["cores of the primary for sales: bookings × CPU of a sale", (one) => number(one.saleCores)],
  ["database: laptops × bytes a laptop", ({ databaseBytes }) => bytes(databaseBytes)],
  ["of it indexes", ({ indexBytes }) => bytes(indexBytes)],
  [
    "kept for good a day: bookings × bytes of a sale × 86,400 s",
    ({ keptBytes }) => bytes(keptBytes),
  ],
  ["of it indexes", ({ keptIndexBytes }) => bytes(keptIndexBytes)],
  ["kept for good a year", ({ keptBytes }) => bytes(365 * keptBytes)],
  [
    "photos kept for good a day: bookings × one photo",
    ({ bookings }) => bytes(bookings * photo.bytes * day),
  ],
  ["write-ahead log a second: bookings × that of a sale", ({ walBytes }) => bytes(walBytes)],
  ["of what is kept the audit log, a day", (one) => bytes(one.auditBytes)],
  ["jobs a second: bookings × those of a sale", ({ jobs }) => number(jobs)],
  [
    "nodes for the jobs alone: jobs × their time / 4 at once",
    ({ bookings }) => String(Math.ceil((bookings * jobMs) / 1_000 / 4)),
  ],
  [
    "nodes for the emails alone: emails / the rate above",
    ({ bookings }) => String(Math.ceil((bookings * emails) / node.emailsPerSecond)),
  ],
];

/** The number of nodes. At least two, so that a node can be restarted. */
function processes({ nodeCores }: Measured): number {
  return Math.max(2, Math.ceil(2 * nodeCores));
}

/** A figure for each of the shop sizes. */
function each(of: (shop: Measured) => string): string {
  return shops.map((shop) => of(measured(shop))).join(", ");
}

function rate(scenario: string): string {
  const found = run.rows.find(
    (one) => one.laptops === 1e6 && one.connections === 100 && one.scenario === scenario,
  );
  if (!found) throw new Error(`lab/bench/last-run.json has no ${scenario}`);
  return number(found.rate);
}
