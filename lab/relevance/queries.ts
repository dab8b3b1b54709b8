import { cities, models, pick, random, type Truth } from "./listings.ts";

/** How well a listing matches: 3 fully, 1 partly, 0 not at all. */
type Judge = (listing: Truth) => 0 | 1 | 3;

/** Filters, named as in `parseQuery`. */
export type Slots = Record<string, unknown>;

export type Query = { kind: Kind; text: string; judge: Judge; slots?: Slots };

export const kinds = ["exact", "one typo", "two typos", "facet words", "numbers", "vague"] as const;
export type Kind = (typeof kinds)[number];

export function makeQueries(perKind: number, seed: number): Query[] {
  const next = random(seed);
  return kinds.flatMap((kind) => Array.from({ length: perKind }, () => makers[kind](next)));
}

const makers: Record<Kind, (next: () => number) => Query> = {
  exact: (next) => exact(next),
  "one typo": (next) => withTypos(next, 1),
  "two typos": (next) => withTypos(next, 2),
  "facet words": (next) => facetWords(next),
  numbers: (next) => numbers(next),
  vague: (next) => vague(next),
};

function exact(next: () => number): Query {
  const model = pick(models, next);
  const written = pick(
    [model.name, `${model.brand} ${model.name}`, model.name.toLowerCase(), ...(model.also ?? [])],
    next,
  );
  const reversed = written.split(" ").reverse().join(" ");
  const text = next() < 0.15 && !/gen/i.test(written) ? reversed : written;
  return {
    kind: "exact",
    text,
    judge: ({ model: of }) => (of === model ? 3 : of.line === model.line ? 1 : 0),
  };
}

function withTypos(next: () => number, typos: 1 | 2): Query {
  const long = models.filter(
    ({ line }) => line.length >= (typos === 1 ? 4 : 8) && !line.includes(" "),
  );
  const { line, brand } = pick(long, next);
  let word = line.toLowerCase();
  for (let left = typos; left > 0; left -= 1) word = mistyped(word, next);
  const text = pick([word, `${word} 16gb`, `${word} laptop`, `${brand} ${word}`], next);
  const needs16 = text.endsWith("16gb");
  return {
    kind: typos === 1 ? "one typo" : "two typos",
    text,
    judge: ({ model, ram }) => (model.line !== line ? 0 : needs16 && ram !== 16 ? 1 : 3),
  };
}

/** Leaves out, doubles, replaces or swaps a letter, but never the first letter. */
function mistyped(word: string, next: () => number): string {
  const at = 1 + Math.floor(next() * (word.length - 2));
  const [before, letter = "", after = ""] = [word.slice(0, at), word[at], word[at + 1]];
  const rest = word.slice(at + 1);
  return pick(
    [
      before + rest,
      before + letter + letter + rest,
      `${before}${pick([..."aeiourst"], next)}${rest}`,
      `${before}${after}${letter}${word.slice(at + 2)}`,
    ],
    next,
  );
}

type Slot = { text: string; slots: Slots; fits: (listing: Truth) => boolean };

function slotsOf(next: () => number): Slot[] {
  const ram = pick([8, 16, 32], next);
  const storage = pick([256, 512, 1024], next);
  const dollars = pick([300, 400, 500, 600, 800, 1000], next);
  const battery = pick([75, 80, 85, 90], next);
  const city = pick(cities, next).split(",")[0] ?? "";
  const size =
    storage === 1024 ? pick(["1tb", "1 TB"], next) : `${storage}${pick(["gb", " GB"], next)}`;
  const all: Slot[] = [
    {
      text: pick(
        [`${ram}gb`, `${ram} GB`, `${ram} gigs`, `${ram}gb ram`, `${ram} GB of RAM`],
        next,
      ),
      slots: { ram: [ram] },
      fits: (one) => one.ram === ram,
    },
    {
      text: pick([`${size} ssd`, `${size} storage`], next),
      slots: { storage: [storage] },
      fits: (one) => one.storage === storage,
    },
    {
      text: pick(
        [
          `under $${dollars}`,
          `below ${dollars} dollars`,
          `less than $${dollars}`,
          `up to $${dollars}`,
          `max $${dollars}`,
          `cheaper than ${dollars}`,
        ],
        next,
      ),
      slots: { maxPrice: dollars },
      fits: (one) => one.dollars <= dollars,
    },
    {
      text: pick(
        [`battery over ${battery}%`, `at least ${battery}% battery`, `battery health ${battery} %`],
        next,
      ),
      slots: { battery },
      fits: (one) => one.battery >= battery,
    },
    {
      text: pick(["with a good battery", "good battery life", "with decent battery"], next),
      slots: { battery: 80 },
      fits: (one) => one.battery >= 80,
    },
    {
      text: pick([`near ${city}`, `close to ${city}`], next),
      slots: { near: city.toLowerCase() },
      fits: (one) => one.city.startsWith(city),
    },
    {
      text: pick(["like new", "in excellent condition", "mint condition"], next),
      slots: { condition: ["Excellent"] },
      fits: (one) => one.condition === "Excellent",
    },
    {
      text: pick(["in good condition", "good condition"], next),
      slots: { condition: ["Excellent", "Good"] },
      fits: (one) => one.condition !== "Fair",
    },
    {
      text: pick(["2021 or newer", "from 2021", "newer than 2020"], next),
      slots: { year: { from: 2021 } },
      fits: (one) => one.year >= 2021,
    },
    {
      text: pick(["14 inch", '14"', "14-inch"], next),
      slots: { screen: [14] },
      fits: (one) => Math.floor(one.screen) === 14,
    },
    {
      text: pick(["15.6 inch", '15.6"'], next),
      slots: { screen: [15.6] },
      fits: (one) => one.screen === 15.6,
    },
    {
      text: pick(["i5", "core i5", "Intel i5"], next),
      slots: { cpu: ["i5"] },
      fits: (one) => one.cpu.startsWith("i5"),
    },
    {
      text: pick(["i7", "core i7"], next),
      slots: { cpu: ["i7"] },
      fits: (one) => one.cpu.startsWith("i7"),
    },
    {
      text: pick(["ryzen 5", "AMD Ryzen 5"], next),
      slots: { cpu: ["ryzen5"] },
      fits: (one) => one.cpu.startsWith("Ryzen 5"),
    },
  ];
  const chosen: Slot[] = [];
  const count = 1 + Math.floor(next() * 3);
  while (chosen.length < count) {
    const slot = pick(all, next);
    const names = chosen.flatMap((one) => Object.keys(one.slots));
    if (!Object.keys(slot.slots).some((name) => names.includes(name))) chosen.push(slot);
  }
  return chosen;
}

function facetWords(next: () => number): Query {
  const model = pick(models, next);
  const subject = pick([model.line, model.line, model.brand, "laptop"], next);
  const slots = slotsOf(next);
  const [first, ...others] = slots.map(({ text }) => text);
  const isPhrase =
    /^(?:under|below|less|up|max|cheaper|with|near|close|in |from|newer|at least|battery|good|like|mint|20)/i;
  const text = isPhrase.test(first ?? "")
    ? [subject, first, ...others].join(" ")
    : [first, subject, ...others].join(" ");
  const isSubject = ({ model: of }: Truth) =>
    subject === "laptop" || of.line === subject || of.brand === subject;
  return {
    kind: "facet words",
    text: next() < 0.3 ? `looking for a ${text}` : text,
    slots: Object.assign({}, ...slots.map((slot) => slot.slots)),
    judge: (listing) => {
      if (!isSubject(listing)) return 0;
      const failed = slots.filter(({ fits }) => !fits(listing)).length;
      return failed === 0 ? 3 : failed === 1 ? 1 : 0;
    },
  };
}

function numbers(next: () => number): Query {
  const model = pick(models, next);
  const cpu = pick(model.cpus, next);
  const gpu = model.gpus?.length ? pick(model.gpus, next) : undefined;
  const part = gpu && next() < 0.4 ? gpu : cpu;
  const written = pick(
    [part, part.toLowerCase(), part.replace("-", " "), part.replace(/^i\d-/, "")],
    next,
  );
  const ram = pick([8, 16, 32], next);
  const withRam = next() < 0.4;
  return {
    kind: "numbers",
    text: withRam ? `${written} ${ram}${pick(["gb", " GB", "g"], next)}` : written,
    judge: (one) => (one.cpu !== part && one.gpu !== part ? 0 : withRam && one.ram !== ram ? 1 : 3),
  };
}

const wishes: { texts: string[]; fits: (listing: Truth) => boolean }[] = [
  {
    texts: ["gaming laptop", "laptop for gaming", "good for games", "something for a gamer"],
    fits: ({ model }) => model.uses?.includes("gaming") === true,
  },
  {
    texts: ["light laptop for travel", "lightweight", "thin and light", "portable laptop"],
    fits: ({ model }) => model.grams <= 1400,
  },
  {
    texts: ["business laptop", "laptop for the office", "work laptop"],
    fits: ({ model }) => model.uses?.includes("business") === true,
  },
  {
    texts: ["laptop for video editing", "photo editing laptop", "for graphic design"],
    fits: ({ model, gpu, ram }) =>
      model.uses?.includes("creative") === true || (gpu !== undefined && ram >= 16),
  },
  {
    texts: ["cheap laptop", "budget laptop", "affordable laptop"],
    fits: ({ dollars }) => dollars <= 300,
  },
  {
    texts: ["laptop for a student", "for school", "college laptop", "laptop for homework"],
    fits: ({ dollars, gpu }) => dollars <= 600 && gpu === undefined,
  },
];

function vague(next: () => number): Query {
  const wish = pick(wishes, next);
  const dollars = pick([500, 700, 900, 1200], next);
  const brand = pick(models, next).brand;
  const form = Math.floor(next() * 3);
  const text = pick(wish.texts, next);
  return {
    kind: "vague",
    text: form === 0 ? text : form === 1 ? `${text} under $${dollars}` : `${brand} ${text}`,
    judge: (listing) => {
      if (!wish.fits(listing)) return 0;
      if (form === 1 && listing.dollars > dollars) return 1;
      return form === 2 && listing.model.brand !== brand ? 0 : 3;
    },
  };
}
