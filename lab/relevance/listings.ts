/** Returns a generator of numbers from 0 to below 1, determined by the seed (mulberry32). */
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

/** Writes some of the specs, in the name or the text, as a seller does. */
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

/** `grams` decides whether the model is light. `uses` lists its purposes. */
type Model = {
  brand: string;
  line: string;
  name: string;
  /** Other ways to write the name. */
  also?: string[];
  cpus: string[];
  screens: number[];
  gpus?: string[];
  grams: number;
  year: number;
  dollars: number;
  uses?: string[];
};

const table = `
Lenovo|ThinkPad|ThinkPad X1 Carbon Gen 9|X1 Carbon Gen 9;X1 Carbon G9|i5-1135G7,i7-1165G7|14||1130|2021|620|business
Lenovo|ThinkPad|ThinkPad X1 Carbon Gen 10|X1 Carbon Gen 10|i5-1240P,i7-1260P|14||1120|2022|820|business
Lenovo|ThinkPad|ThinkPad T480|T480|i5-8250U,i5-8350U,i7-8650U|14||1580|2018|260|business
Lenovo|ThinkPad|ThinkPad T14 Gen 2|T14 Gen 2|i5-1145G7,i7-1185G7|14||1460|2021|480|business
Lenovo|ThinkPad|ThinkPad P53|P53|i7-9750H,i9-9880H|15.6|Quadro T2000|2450|2019|720|business,creative
Lenovo|ThinkPad|ThinkPad E15|E15|i5-10210U,i7-10510U|15.6||1900|2020|380|business
Lenovo|IdeaPad|IdeaPad 3|IdeaPad Slim 3|i3-1115G4,Ryzen 5 5500U|15.6||1650|2021|260|
Lenovo|Yoga|Yoga 9i|Yoga 9i 14|i7-1360P|14||1400|2023|870|
Lenovo|Legion|Legion 5|Legion 5 15|Ryzen 7 5800H,Ryzen 7 6800H|15.6|RTX 3060,RTX 3070|2400|2021|840|gaming
Apple|MacBook|MacBook Air M1|Air M1|M1|13.3||1290|2020|540|
Apple|MacBook|MacBook Air M2|Air M2|M2|13.6||1240|2022|760|
Apple|MacBook|MacBook Pro M1 Pro|MacBook Pro 14 M1 Pro|M1 Pro|14.2||1600|2021|1100|creative
Apple|MacBook|MacBook Pro M2 Max|MBP M2 Max|M2 Max|16.2||2160|2023|2100|creative
Dell|XPS|XPS 13 9310|XPS 9310|i5-1135G7,i7-1165G7|13.4||1270|2021|590|creative
Dell|XPS|XPS 15 9500|XPS 9500|i7-10750H|15.6|GTX 1650Ti|2050|2020|740|creative
Dell|Latitude|Latitude 7420|Latitude 14 7420|i5-1145G7,i7-1185G7|14||1310|2021|430|business
Dell|Latitude|Latitude 5400|Latitude 14 5400|i5-8365U,i7-8665U|14||1480|2019|240|business
Dell|Inspiron|Inspiron 15 3511|Inspiron 3511|i3-1115G4,i5-1135G7|15.6||1850|2021|290|
Dell|Precision|Precision 5550|Dell 5550|i7-10850H|15.6|Quadro T1000|1840|2020|780|creative
Dell|Alienware|Alienware m15 R6|m15 R6|i7-11800H|15.6|RTX 3060,RTX 3080|2690|2021|990|gaming
HP|EliteBook|EliteBook 840 G8|840 G8|i5-1135G7,i7-1165G7|14||1320|2021|420|business
HP|EliteBook|EliteBook 840 G5|840 G5|i5-8250U,i7-8550U|14||1480|2018|220|business
HP|ProBook|ProBook 450 G8|450 G8|i5-1135G7|15.6||1740|2021|350|business
HP|Spectre|Spectre x360 14|Spectre 14|i7-1165G7|13.5||1340|2021|640|
HP|Pavilion|Pavilion 15|HP Pavilion 15|Ryzen 5 4500U,i5-1135G7|15.6||1750|2020|310|
HP|Omen|Omen 16|HP Omen 16|i7-12700H,Ryzen 7 6800H|16.1|RTX 3060,RTX 3070Ti|2350|2022|890|gaming
HP|Victus|Victus 16|HP Victus 16|Ryzen 5 5600H|16.1|RTX 3050,GTX 1650|2460|2021|560|gaming
HP|ZBook|ZBook Fury 15 G7|ZBook Fury|i7-10850H|15.6|Quadro RTX 3000|2350|2020|830|creative,business
ASUS|ZenBook|ZenBook 14 UX425|ZenBook UX425|i5-1135G7,i7-1165G7|14||1170|2021|460|
ASUS|VivoBook|VivoBook 15|VivoBook X515|i3-1115G4,Ryzen 5 5500U|15.6||1800|2021|280|
ASUS|ROG|ROG Zephyrus G14|Zephyrus G14|Ryzen 9 5900HS,Ryzen 9 6900HS|14|RTX 3060|1650|2021|980|gaming
ASUS|ROG|ROG Strix G15|Strix G15|Ryzen 7 4800H|15.6|RTX 2060|2390|2020|650|gaming
ASUS|TUF|TUF Gaming A15|TUF A15|Ryzen 5 4600H,Ryzen 7 4800H|15.6|GTX 1650,GTX 1660Ti|2300|2020|520|gaming
Acer|Swift|Swift 3|Acer Swift 3 14|Ryzen 5 4500U,i5-1035G1|14||1200|2020|320|
Acer|Aspire|Aspire 5|Acer Aspire 5 A515|i5-1135G7,Ryzen 3 3250U|15.6||1800|2021|290|
Acer|Nitro|Nitro 5|Acer Nitro 5|i5-9300H,i5-12500H|15.6|GTX 1650,RTX 3050Ti|2300|2020|480|gaming
Acer|Predator|Predator Helios 300|Helios 300|i7-10750H,i7-11800H|15.6|RTX 2060,RTX 3060|2500|2021|750|gaming
Microsoft|Surface|Surface Laptop 4|Surface Laptop|i5-1145G7,Ryzen 5 4600U|13.5||1270|2021|470|
Microsoft|Surface|Surface Pro 7|Surface Pro|i5-1035G4|12.3||790|2019|350|
Framework|Framework|Framework Laptop 13|Framework 13|i5-1240P,Ryzen 7 7840U|13.5||1300|2022|690|
Razer|Blade|Blade 15|Razer Blade 15|i7-10750H,i7-12800H|15.6|RTX 2070,RTX 3070|2010|2021|1150|gaming
MSI|Katana|Katana GF66|MSI Katana|i7-12700H|15.6|RTX 3050,RTX 3060|2250|2022|690|gaming
MSI|Stealth|GS66 Stealth|Stealth 15|i7-11800H|15.6|RTX 3070|2100|2021|990|gaming
Samsung|Galaxy Book|Galaxy Book Pro|Galaxy Book Pro 13|i5-1135G7,i7-1165G7|13.3||870|2021|520|
LG|Gram|Gram 17|LG Gram 17Z90P|i7-1165G7|17||1350|2021|650|
LG|Gram|Gram 14|LG Gram 14Z90Q|i5-1240P|14||999|2022|600|`;

export const models: Model[] = table
  .trim()
  .split("\n")
  .map((row) => {
    const [
      brand = "",
      line = "",
      name = "",
      also = "",
      cpus = "",
      screens = "",
      gpus = "",
      ...rest
    ] = row.split("|");
    const [grams, year, dollars, uses = ""] = rest;
    return {
      brand,
      line,
      name,
      also: also.split(";"),
      cpus: cpus.split(","),
      screens: screens.split(",").map(Number),
      gpus: gpus.split(",").filter(Boolean),
      grams: Number(grams),
      year: Number(year),
      dollars: Number(dollars),
      uses: uses.split(",").filter(Boolean),
    };
  });

export const cities =
  "Portland, OR|Austin, TX|Boston, MA|Leeds|Denver, CO|San Diego, CA|Chicago, IL|Bristol".split(
    "|",
  );
