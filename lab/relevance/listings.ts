import { cities, type Model, models } from "./models.ts";

/** From 0 to 1. The same seed gives the same numbers (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(from: readonly T[], next: () => number): T {
  return from[Math.floor(next() * from.length)] as T;
}

export type Truth = {
  id: number;
  model: Model;
  ram: number;
  storage: number;
  cpu: string;
  gpu: string | undefined;
  screen: number;
  battery: number;
  dollars: number;
  condition: "Excellent" | "Good" | "Fair";
  city: string;
  year: number;
  name: string;
  description: string;
};

export function makeListings(count: number, seed: number): Truth[] {
  const next = random(seed);
  return Array.from({ length: count }, (_, id) => makeListing(id, next));
}

function makeListing(id: number, next: () => number): Truth {
  const model = pick(models, next);
  const ram = pick([8, 8, 16, 16, 16, 32, model.dollars > 700 ? 64 : 4], next);
  const storage = pick([128, 256, 256, 512, 512, 1024, 2048], next);
  const truth = {
    id,
    model,
    ram,
    storage,
    cpu: pick(model.cpus, next),
    gpu: model.gpus?.length ? pick(model.gpus, next) : undefined,
    screen: pick(model.screens, next),
    battery: 55 + Math.floor(next() * 45),
    dollars: Math.round((model.dollars * (0.65 + 0.7 * next()) + (ram - 16) * 3) / 5) * 5,
    condition: pick(["Excellent", "Good", "Good", "Fair"] as const, next),
    city: pick(cities, next),
    year: model.year + Math.floor(next() * 2),
  };
  return { ...truth, ...write(truth, next) };
}

type Facts = Omit<Truth, "name" | "description">;

const rams = [
  (n: number) => `${n}GB RAM`,
  (n: number) => `${n} GB memory`,
  (n: number) => `${n}gb ddr4`,
  (n: number) => `RAM: ${n} GB`,
  (n: number) => `${n} gigs of RAM`,
];

function drive(gb: number, next: () => number): string {
  const size =
    gb >= 1024
      ? `${gb / 1024}${pick(["TB", " TB"], next)}`
      : `${gb}${pick(["GB", " GB", "gb"], next)}`;
  return `${size} ${pick(["SSD", "NVMe SSD", "ssd", "NVMe"], next)}`;
}

const batteries = [
  (n: number) => `Battery at ${n} %.`,
  (n: number) => `Battery health ${n}%.`,
  (n: number) => `The battery still has ${n}% of its original capacity.`,
  (n: number) => `Holds ${n}% battery health according to the report.`,
];

const stories = [
  "Used at a desk and wiped before the sale.",
  "Bought new, one owner, no pets, no smoke.",
  "A small scratch on the lid that you only see in the light.",
  "Selling because work gave me another one.",
  "Charger and sleeve included.",
  "Keyboard is clean, hinge is tight, all ports work.",
  "Runs quiet. I compared it with a MacBook before I bought it.",
  "Can be upgraded to 64 GB of RAM.",
  "Was my daily machine for two years.",
];

/** Writes as a seller does: some of the specs, in the name or the text, in any unit. */
function write({ model, ram, storage, cpu, gpu, screen, battery }: Facts, next: () => number) {
  const title =
    next() < 0.7
      ? `${next() < 0.8 ? `${model.brand} ` : ""}${model.name}`
      : pick(model.also ?? [model.name], next);
  const named = title.startsWith(`${model.brand} ${model.brand}`) ? model.name : title;
  const inName = next() < 0.4;
  const name = inName
    ? `${named}, ${pick([`${ram}GB/${storage >= 1024 ? `${storage / 1024}TB` : `${storage}GB`}`, `${cpu} ${ram} GB ${drive(storage, next)}`], next)}`
    : named;
  const parts = [
    `${cpu}, ${pick(rams, next)(ram)}, ${drive(storage, next)}${gpu ? `, ${gpu}` : ""}.`,
    next() < 0.8 ? `${screen}${pick(['"', " inch", "-inch", "”"], next)} screen.` : "",
    pick(batteries, next)(battery),
    pick(stories, next),
    pick(stories, next),
  ];
  return { name, description: parts.filter(Boolean).join(" ") };
}
