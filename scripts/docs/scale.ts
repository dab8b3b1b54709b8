import { readFileSync } from "node:fs";
import { type Measured, monthlyBill } from "./scale-bill.ts";
import { bytes, markdown, number } from "./scale-text.ts";

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../../bench/${name}.json`, import.meta.url), "utf8")) as T;

type Run = { rows: { laptops: number; scenario: string; connections: number; rate: number }[] };
type Sizes = {
  laptops: number;
  tables: { name: string; rows: number; tableBytes: number; indexBytes: number }[];
};
type Growth = {
  wal: Record<string, number>;
  rows: { name: string; inserted: number; deleted: number }[];
};
type Pages = {
  laptops: number;
  pages: { page: string; nodeMs: number; postgresMs: number; bytes: number }[];
};
type Node = Record<
  "statementsPerSecondIdle" | "connectionsIdle" | "jobsPerSecond" | "emailsPerSecond",
  number
>;
type Simulated = {
  laptops: number;
  views: number;
  bookings: number;
  exponent: number;
  locations: number;
  laptopsByCategory?: boolean;
  hits: Record<string, number>;
  allHits: number;
  requests: number;
  purgedAll: number;
};

/** `docs/scale.md`: the text, with figures and sums from the files that the measurements write. */
export function scale(): string {
  const text = readFileSync(new URL("scale-text.md", import.meta.url), "utf8");
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`scale-text.md names an unknown part: ${name}`);
    return part();
  });
}

const [run, sizes, growth] = [read<Run>("last-run"), read<Sizes>("sizes"), read<Growth>("growth")];
const [pages, node] = [read<Pages>("pages"), read<Node>("node")];
const simulated = read<Simulated[]>("cdn-simulation");
const queries = read<Record<string, { statements: number; trips: number }>>("queries");

/** Sizes of a shop: laptops, page views and bookings a second. */
const shops = [
  { laptops: 1e6, views: 1_000, bookings: 1 },
  { laptops: 10e6, views: 3_000, bookings: 10 },
  { laptops: 100e6, views: 10_000, bookings: 100 },
];

/** Of a search at a million listings, in PostgreSQL and in Node (decision 0062). */
const searchMs = 25.7;

const bytesPerLaptop = sum(sizes.tables, (one) => one.tableBytes + one.indexBytes) / sizes.laptops;
const indexPerLaptop = sum(sizes.tables, (one) => one.indexBytes) / sizes.laptops;
const walPerSale = sum(Object.values(growth.wal), (bytes) => bytes);
const audit = find(sizes.tables, ({ name }) => name === "audit_log");
const auditBytes = (audit.tableBytes + audit.indexBytes) / audit.rows;
const rowsOf = (name: string) => find(growth.rows, (one) => one.name === name).inserted;
const pageOf = (name: string) => find(pages.pages, ({ page }) => page === name);

function at(laptops: number, locations: number, byCategory = true): Simulated {
  return find(
    simulated,
    (one) =>
      one.laptops === laptops &&
      one.locations === locations &&
      one.exponent === 0.8 &&
      (one.laptopsByCategory ?? true) === byCategory,
  );
}

function measured({ laptops, views, bookings }: (typeof shops)[number]): Measured {
  const { requests, hits } = at(laptops, 20);
  // Shares of bench/cdn-simulation.mjs.
  const missed = (kind: string, share: number) => views * share * (1 - (hits[kind] ?? 0) / 100);
  const [laptop, seller, search] = [missed("laptop", 0.5), missed("seller", 0.05), views * 0.1];
  const cores = (of: "nodeMs" | "postgresMs") =>
    (laptop * pageOf("laptop, page")[of] +
      seller * pageOf("seller, page")[of] +
      search * pageOf("search, page")[of]) /
    1_000;
  return {
    ...{
      laptops,
      views,
      bookings,
      requests,
      laptop,
      seller,
      search,
      pageBytes: pageOf("laptop, page").bytes,
    },
    nodeCores: cores("nodeMs"),
    readCores: cores("postgresMs"),
    databaseBytes: laptops * bytesPerLaptop,
    indexBytes: laptops * indexPerLaptop,
    walBytes: bookings * walPerSale,
    auditBytes: bookings * rowsOf("audit_log") * auditBytes * 86_400,
    jobs: bookings * rowsOf("job_outbox"),
  };
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
        ["jobs a second, four at once", number(node.jobsPerSecond)],
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
        `${one.locations}${one.laptopsByCategory === false ? " (*)" : ""}`,
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
  searchLimit: () => {
    const cores = shops.map((shop) => number((measured(shop).search * searchMs) / 1_000));
    return `${searchMs} ms of CPU at 1,000,000 listings (decision 0062): ${cores.join(", ")} cores for the three shops if it stayed so. Counts and ranks read at most 20,000 rows, but the index grows; not measured beyond a million`;
  },
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
  [
    "cores of the program: these three × its CPU above; the rest is kept by the nodes",
    ({ nodeCores }) => number(nodeCores),
  ],
  ["processes, each half busy: 2 × these cores", (one) => number(processes(one))],
  ["connections: processes × 20", (one) => number(20 * processes(one))],
  ["of them not shared by a pooler: processes × 9", (one) => number(9 * processes(one))],
  [
    "statements a second of processes at rest",
    (one) => number(node.statementsPerSecondIdle * processes(one)),
  ],
  ["cores of replicas: these three × CPU of PostgreSQL above", (one) => number(one.readCores)],
  ["database: laptops × bytes a laptop", ({ databaseBytes }) => bytes(databaseBytes)],
  ["of it indexes", ({ indexBytes }) => bytes(indexBytes)],
  ["write-ahead log a second: bookings × that of a sale", ({ walBytes }) => bytes(walBytes)],
  ["audit log a day: bookings × rows × bytes × 86,400 s", (one) => bytes(one.auditBytes)],
  ["jobs a second: bookings × those of a sale", ({ jobs }) => number(jobs)],
  ["nodes for the jobs alone", ({ jobs }) => String(Math.ceil(jobs / node.jobsPerSecond))],
];

/** At least two, so that one can be restarted. */
function processes({ nodeCores }: Measured): number {
  return Math.max(2, Math.ceil(2 * nodeCores));
}

function rate(scenario: string): string {
  const found = run.rows.find(
    (one) => one.laptops === 1e6 && one.connections === 100 && one.scenario === scenario,
  );
  if (!found) throw new Error(`bench/last-run.json has no ${scenario}`);
  return number(found.rate);
}

function find<T>(all: T[], which: (one: T) => boolean): T {
  const found = all.find(which);
  if (!found) throw new Error("A measurement that docs/scale.md needs is missing.");
  return found;
}

function sum<T>(all: T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
