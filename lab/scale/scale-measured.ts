import { readFileSync } from "node:fs";
import type { Measured } from "./scale-bill.ts";
import { keptBySale } from "./scale-kept.ts";

const read = <T>(name: string) =>
  JSON.parse(readFileSync(new URL(`../bench/${name}.json`, import.meta.url), "utf8")) as T;

type Run = {
  at: string;
  rows: { laptops: number; scenario: string; connections: number; rate: number }[];
};
type Sizes = {
  at: string;
  laptops: number;
  tables: { name: string; rows: number; tableBytes: number; indexBytes: number }[];
};
type Growth = {
  sales: number;
  postgresMs: number;
  wal: Record<string, number>;
  jobs: Record<string, { runs: number; ms: number }>;
  rows: { name: string; inserted: number; deleted: number; bytes: number }[];
};
type Pages = {
  at: string;
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
  hits: Record<string, number>;
  allHits: number;
  requests: number;
  purgedAll: number;
};

export const [run, sizes, growth] = [
  read<Run>("last-run"),
  read<Sizes>("sizes"),
  read<Growth>("growth"),
];
export const [pages, node] = [read<Pages>("pages"), read<Node>("node")];
export const simulated = read<Simulated[]>("cdn-simulation");
export const queries = read<Record<string, { statements: number; trips: number }>>("queries");

/** The sizes of shops: laptops, and page views and bookings per second. */
export const shops = [
  { laptops: 1e6, views: 1_000, bookings: 1 },
  { laptops: 10e6, views: 3_000, bookings: 10 },
  { laptops: 100e6, views: 10_000, bookings: 100 },
];

/** PostgreSQL's CPU time for a search at a million listings (decisions/search). */
export const searchMs = 19.3;

export const bytesPerLaptop =
  sum(sizes.tables, (one) => one.tableBytes + one.indexBytes) / sizes.laptops;
export const indexPerLaptop = sum(sizes.tables, (one) => one.indexBytes) / sizes.laptops;
export const walPerSale = sum(Object.values(growth.wal), (bytes) => bytes);
const audit = find(sizes.tables, ({ name }) => name === "audit_log");
const auditBytes = (audit.tableBytes + audit.indexBytes) / audit.rows;
export const kept = keptBySale(growth.rows, sizes.tables);
export const day = 86_400;
/** The jobs of a sale, without jobs that run every minute anyway. */
export const saleJobs = Object.entries(growth.jobs).filter(([, { runs }]) => runs >= 0.5);
/** These jobs run one at a time. All other jobs run four at a time (server/jobs/worker.ts). */
const ownRunners = ["sendMail", "encodeAvif"];
export const jobMs = sum(saleJobs, ([task, { runs, ms }]) =>
  ownRunners.includes(task) ? 0 : runs * ms,
);
export const emails = growth.jobs.sendMail?.runs ?? 0;
const rowsOf = (name: string) => find(growth.rows, (one) => one.name === name).inserted;
const pageOf = (name: string) => find(pages.pages, ({ page }) => page === name);

function at(laptops: number, locations: number): Simulated {
  return find(
    simulated,
    (one) => one.laptops === laptops && one.locations === locations && one.exponent === 0.8,
  );
}

export function measured({ laptops, views, bookings }: (typeof shops)[number]): Measured {
  const { requests, hits } = at(laptops, 20);
  // The shares of page views are those in lab/bench/cdn-simulation.mjs.
  const missed = (kind: string, share: number) => views * share * (1 - (hits[kind] ?? 0) / 100);
  const rendered = {
    "laptop, page": missed("laptop", 0.5),
    "seller, page": missed("seller", 0.05),
    "category, page": missed("category", 0.25),
    Home: missed("home", 0.1),
    "search, page": views * 0.1,
  };
  const cores = (of: (page: string) => number) =>
    sum(Object.entries(rendered), ([page, rate]) => rate * of(page)) / 1_000;
  return {
    laptops,
    views,
    bookings,
    requests,
    laptop: rendered["laptop, page"],
    seller: rendered["seller, page"],
    lists: rendered["category, page"] + rendered.Home,
    search: rendered["search, page"],
    pageBytes: pageOf("laptop, page").bytes,
    nodeCores: cores((page) => pageOf(page).nodeMs),
    readCores: cores((page) => (page === "search, page" ? searchMs : pageOf(page).postgresMs)),
    saleCores: (bookings * growth.postgresMs) / 1_000,
    databaseBytes: laptops * bytesPerLaptop,
    indexBytes: laptops * indexPerLaptop,
    walBytes: bookings * walPerSale,
    keptBytes: bookings * kept.bytes * day,
    keptIndexBytes: bookings * kept.indexBytes * day,
    auditBytes: bookings * rowsOf("audit_log") * auditBytes * 86_400,
    jobs: bookings * rowsOf("job_outbox"),
  };
}

function find<T>(all: T[], which: (one: T) => boolean): T {
  const found = all.find(which);
  if (!found) throw new Error("A measurement that docs/scale.md needs is missing.");
  return found;
}

function sum<T>(all: T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0);
}
