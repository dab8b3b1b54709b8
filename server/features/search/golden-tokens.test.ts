import { expect, test } from "vitest";
import { listingDocument } from "../search-index/listing-document.ts";
import { type Filters, parseQuery } from "./parse-query.ts";

/** Each part's filter, token and spellings by sellers and buyers. */
const golden: [name: string, filter: Filters, token: string, written: string][] = [
  [
    "16 GB",
    { ram: [16] },
    "ram16gb",
    "16gb|16 GB|16 gigs|16gigs|16 gig|16 gigabytes|16-gb|16Gb|16g|16 GB RAM|16GB memory|16 gb of ram|ram 16gb",
  ],
  [
    "16 GB RAM",
    { ram: [16] },
    "ram16gb",
    "RAM: 16 GB|16gb ddr4|16 GB DDR5|16gb lpddr4x|16 GB DDR4 RAM|16GB LPDDR5 memory|memory: 16gb|ram 16",
  ],
  ["8 GB", { ram: [8] }, "ram8gb", "8gb|8 GB|8 gigs ram|8GB DDR3|8 gb memory|8g ram"],
  ["32 GB", { ram: [32] }, "ram32gb", "32gb|32 GB RAM|32 gigs of memory|32GB DDR5"],
  ["64 GB", { ram: [64] }, "ram64gb", "64gb|64 GB ddr4|64 gb ram"],
  [
    "512 GB",
    { storage: [512] },
    "ssd512gb",
    "512gb|512 GB|512gb ssd|512 GB NVMe|512 gb pcie nvme ssd|ssd 512gb|500gb ssd|480 GB SSD|512 gig ssd|512gb storage|0.5tb ssd|500 GB",
  ],
  [
    "256 GB",
    { storage: [256] },
    "ssd256gb",
    "256gb|256 GB SSD|240gb ssd|250 gb|256 gb m.2|256GB hard drive",
  ],
  [
    "1 TB",
    { storage: [1024] },
    "ssd1024gb",
    "1tb|1 TB|1TB SSD|1024 GB|1000gb|1 terabyte|1 tb nvme|1tb hdd|1t ssd|1024gb ssd|1.0 TB",
  ],
  ["2 TB", { storage: [2048] }, "ssd2048gb", "2tb|2 TB ssd|2048gb|2000 GB"],
  ["64 GB eMMC", { storage: [64] }, "ssd64gb", "64gb emmc|64 GB eMMC storage"],
  [
    "14 inch",
    { screen: [14] },
    "screen14",
    '14"|14 "|14 inch|14-inch|14inch|14 inches|14”|14″|14in|14\'\'|14.0"|screen 14|display: 14',
  ],
  ["13.3 inch", { screen: [13.3] }, "screen13.3", '13.3"|13.3 inch|13,3"|13.3-inch|13.3in|13.3 in'],
  ["15.6 inch", { screen: [15.6] }, "screen15.6", '15.6"|15.6 inch|15,6 inch|15.6”|15.6 inches'],
  ["17.3 inch", { screen: [17.3] }, "screen17.3", '17.3"|17.3 inch'],
  ["i5", { cpu: ["i5"] }, "cpui5", "i5|I5|core i5|Intel Core i5|intel i5"],
  ["i7", { cpu: ["i7"] }, "cpui7", "i7|Core i7|intel core i7"],
  ["m1", { cpu: ["m1"] }, "cpum1", "m1|M1|Apple M1"],
  ["m1 pro", { cpu: ["m1pro"] }, "m1pro", "m1 pro|M1Pro|Apple M1 Pro"],
  ["m2 max", { cpu: ["m2max"] }, "m2max", "m2 max|apple m2 max"],
  ["ryzen 5", { cpu: ["ryzen5"] }, "cpuryzen5", "ryzen 5|Ryzen5|AMD Ryzen 5|ryzen-5"],
  [
    "16/512",
    { ram: [16], storage: [512] },
    "ssd512gb",
    "16/512|16gb/512gb|16 GB / 512 GB|16GB/512GB SSD|16+512|16g/512g",
  ],
  ["8/256", { ram: [8], storage: [256] }, "ram8gb", "8/256|8gb/256gb|8GB / 256GB SSD"],
  ["16/1TB", { ram: [16], storage: [1024] }, "ssd1024gb", "16/1tb|16GB/1TB|16 gb / 1 tb ssd"],
  [
    "battery 84 %",
    { battery: 84 },
    "",
    "battery 84%|battery 84 %|battery 84\u00a0%|84% battery|84 % battery health|battery health 84%|battery at 84 percent",
  ],
];

const intel =
  "i3-1005G1 i3-10110U i3-1115G4 i3-8130U i5-10210U i5-1035G1 i5-1035G4 i5-1135G7 i5-1145G7 i5-1235U i5-1240P i5-12500H i5-1335U i5-1340P i5-13500H i5-2520M i5-3320M i5-4300U i5-5300U i5-6200U i5-6300U i5-7200U i5-7300U i5-8250U i5-8265U i5-8300H i5-8350U i5-8365U i5-9300H i7-10510U i7-1065G7 i7-10750H i7-10850H i7-1165G7 i7-1185G7 i7-11800H i7-1255U i7-1260P i7-1265U i7-12700H i7-1355U i7-1360P i7-13700H i7-2640M i7-3520M i7-4600U i7-4810MQ i7-5600U i7-6600U i7-6820HQ i7-7500U i7-7700HQ i7-8550U i7-8565U i7-8650U i7-8665U i7-8750H i7-9750H i9-11900H i9-12900HK i9-13900HX i9-9880H".split(
    " ",
  );
const ryzen =
  "3-3250U 3-5300U 5-2500U 5-3500U 5-4500U 5-4600H 5-5500U 5-5600H 5-5625U 5-6600H 5-7530U 7-3700U 7-4700U 7-4800H 7-5700U 7-5800H 7-5825U 7-5850U 7-6800H 7-6800HS 7-7735HS 7-7840HS 7-7840U 9-5900HX 9-6900HS 9-7940HS".split(
    " ",
  );
const cards: [string, string][] = [
  ..."1050 1050ti 1060 1070 1080 1650 1650ti 1660ti"
    .split(" ")
    .map((n) => [`GTX ${n}`, `gtx${n}`] as [string, string]),
  ..."2060 2070 2080 3050 3050ti 3060 3070 3070ti 3080 3080ti 4050 4060 4070 4080 4090 a2000 a3000"
    .split(" ")
    .map((n) => [`RTX ${n}`, `rtx${n}`] as [string, string]),
  ..."110 130 150 250 330 350 450 550"
    .split(" ")
    .map((n) => [`MX${n}`, `mx${n}`] as [string, string]),
];

const texts = golden.flatMap(([name, filter, token, written]) =>
  written.split("|").map((text) => ({ name, filter, token, text })),
);

const documentOf = (description: string) =>
  listingDocument({
    name: "Laptop",
    description,
    location: "",
    category: "",
    priceCents: 90_000,
    yearOfPurchase: 2020,
  });

test("the test data contains at least 200 part numbers and units", () => {
  expect(texts.length + intel.length + ryzen.length + cards.length).toBeGreaterThanOrEqual(200);
});

test.for(texts)("$text means $name, in a query and in a listing", ({ text, filter, token }) => {
  expect(parseQuery(text)).toMatchObject({ filters: filter, words: [] });
  const { facets, tokens } = documentOf(text);
  if (token === "") expect(facets.battery).toBe(84);
  else expect([...tokens.keys()]).toContain(token);
});

test("several spellings of an Intel processor are recognized in queries and listings", () => {
  for (const model of intel) {
    const [family = "", number = ""] = model.toLowerCase().split("-");
    for (const text of [
      model,
      `${family} ${number}`,
      `Intel Core ${model}`,
      `Core ${family}${number}`,
    ]) {
      expect(parseQuery(text).filters, text).toEqual({ cpu: [`${family}-${number}`] });
      expect(documentOf(text).facets, text).toMatchObject({
        processor: family,
        processorModel: number,
      });
    }
    expect(parseQuery(number).filters, number).toEqual({ cpu: [number] });
    expect([...documentOf(model).tokens.keys()]).toEqual(
      expect.arrayContaining([`cpu${family}`, `cpu${family}${number}`, number]),
    );
  }
});

test("an Intel processor's generation is read from its model number in a listing", () => {
  for (const [model, generation] of [
    ["i5-520M", "gen1"],
    ["i5-8350U", "gen8"],
    ["i7-1065G7", "gen10"],
    ["i7-10510U", "gen10"],
    ["i7-1165G7", "gen11"],
    ["i9-13950HX", "gen13"],
  ] as const)
    expect([...documentOf(model).tokens.keys()], model).toContain(generation);
});

test("several spellings of an AMD processor are recognized in queries, and its model number in listings", () => {
  for (const model of ryzen) {
    const [level, number = ""] = model.toLowerCase().split("-");
    for (const text of [
      `Ryzen ${level} ${number}`,
      `AMD Ryzen ${level} ${number}`,
      `ryzen${level}-${number}`,
    ])
      expect(parseQuery(text).filters, text).toEqual({ cpu: [`ryzen${level}-${number}`] });
    expect([...documentOf(`Ryzen ${level} ${number}`).tokens.keys()]).toContain(number);
  }
});

test("several spellings of a graphics card are recognized in queries and listings", () => {
  for (const [name, token] of cards) {
    const spaced = name.replace(/(ti)$/, " $1");
    for (const text of [
      name,
      name.toLowerCase(),
      name.replace(" ", ""),
      spaced,
      `NVIDIA GeForce ${name}`,
    ]) {
      expect(parseQuery(text).filters, text).toEqual({ gpu: [token] });
      expect([...documentOf(text).tokens.keys()], text).toContain(token);
    }
  }
});

test("queries and listings don't mistake other numbers for parts", () => {
  expect(documentOf("4G modem, 1080p, 5G, 60 Hz, 45 W, upgradable to 64 GB, 2019").facets).toEqual(
    {},
  );
  expect(parseQuery("thinkpad t480").filters).toEqual({});
  expect(parseQuery("elitebook 840").filters).toEqual({});
  expect(documentOf("RTX 3060 6GB GDDR6, 16 GB RAM").facets).toMatchObject({
    ram: 16,
    graphics: "rtx",
  });
});
