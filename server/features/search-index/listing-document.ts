import type { StatedFacts } from "#contract/facts.ts";
import { foldText } from "#contract/text.ts";
import {
  type Brand,
  brands,
  type Graphics,
  modelLines,
  type Processor,
  stopWords,
} from "./dictionary.ts";
import { findSpans, joined, stem, wordTokens } from "./find-spans.ts";
import { type Property, propertyRules, storageClass } from "./property-rules.ts";

/** Increase this number if documents are built differently. A job then rebuilds all of them. */
export const documentVersion = 6;

export type Listing = {
  name: string;
  description: string;
  location: string;
  /** The category's name, which may be a brand. */
  category: string;
  priceCents: number;
  yearOfPurchase: number;
  facts?: StatedFacts | null;
};

/** For searches and comparisons, never shown as facts. Sizes in GB and inches, `battery` in %. */
type Facets = {
  brand?: Brand;
  ram?: number;
  storage?: number;
  processor?: Processor;
  processorModel?: string;
  graphics?: Graphics;
  graphicsModel?: string;
  screen?: number;
  battery?: number;
};

type ListingDocument = { facets: Facets; tokens: Map<string, Weight> };

/** PostgreSQL's weights, such as A for the name, C for the place and D for the description. */
type Weight = "A" | "B" | "C" | "D";

/**
 * Builds a search document. Stated facts take precedence over the name, and the name over the
 * description, which may mention other laptops.
 */
export function listingDocument(listing: Listing): ListingDocument {
  const [name, description] = [foldText(listing.name), foldText(listing.description)];
  const document: ListingDocument = { facets: {}, tokens: new Map() };
  if (listing.facts) addFacts(document, listing.facts);
  addText(document, name, "A");
  addText(document, withoutUpgrades(description), "D");
  addBrandOf(document, foldText(listing.category));
  addUnsaidLine(document);
  addWords(document, wordsOf(foldText(listing.location)), "C");
  for (const word of wordsOf(foldText(listing.location))) addToken(document, `@${stem(word)}`, "C");
  addToken(document, String(listing.yearOfPurchase), "B");
  addFacetTokens(document);
  addPurposes(document, listing);
  return document;
}

function addFacts(document: ListingDocument, facts: StatedFacts): void {
  const { ram_gb, storage_gb, screen_inches, battery_health, ...texts } = facts;
  const { facets } = document;
  if (ram_gb != null) facets.ram = ram_gb;
  const size = storageClass(storage_gb ?? 0);
  if (size !== undefined) facets.storage = size;
  if (screen_inches != null) facets.screen = screen_inches;
  if (battery_health != null) facets.battery = battery_health;
  const { brand, model_line, cpu, gpu, operating_system, keyboard_layout, ports } = texts;
  // The brand gets weight B below, like a brand that the category names.
  const maker = foldText(brand ?? "");
  if (isBrand(maker)) facets.brand = maker;
  for (const text of [model_line, cpu, gpu]) addText(document, foldText(text ?? ""), "A");
  for (const text of [brand, operating_system, keyboard_layout, ...(ports ?? [])])
    addText(document, foldText(text ?? ""), "B");
}

/** Removes phrases such as "upgradable to 64 GB", because the laptop doesn't have 64 GB. */
function withoutUpgrades(text: string): string {
  return text.replaceAll(
    /\b(?:up ?to|upgrad\w+ (?:up )?to|expand\w+ (?:up )?to|supports(?: up to)?|room for)\s+\d+\s*(?:gb|tb)(?:\s*(?:of\s+)?(?:ram|memory|ssd|storage))?/g,
    " ",
  );
}

function addText(document: ListingDocument, text: string, weight: Weight): void {
  const words: string[] = [];
  for (const span of findSpans(text, propertyRules)) {
    if ("word" in span) words.push(span.word);
    else for (const property of span.read) addProperty(document, property, weight);
  }
  addWords(document, words, weight);
}

function addWords(document: ListingDocument, words: string[], weight: Weight): void {
  let previous = "";
  for (const word of words.flatMap((text) => text.split(" "))) {
    const { whole, parts } = wordTokens(word);
    if (!stopWords.has(word))
      for (const token of [whole, ...parts]) addToken(document, token, weight);
    const pair = weight === "A" ? joined(previous, whole) : undefined;
    if (pair !== undefined) addToken(document, pair, weight);
    previous = whole;
  }
  for (const name of words) addLine(document, name, weight);
  const neighbours = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  for (const name of neighbours) addLine(document, name, weight);
}

const lines = new Map(Object.entries(modelLines));

/** Adds what a line implies: an X1 Carbon is a ThinkPad. Ignores lines named in descriptions. */
function addLine(document: ListingDocument, name: string, weight: Weight): void {
  const line = weight === "A" ? lines.get(name) : undefined;
  if (!line) return;
  document.facets.brand ??= line.brand;
  for (const token of [line.brand, line.also, ...(line.tags ?? [])])
    if (token !== undefined) addToken(document, token, "B");
}

function addBrandOf(document: ListingDocument, category: string): void {
  const words = wordsOf(category);
  for (const word of words) addToken(document, stem(word), "B");
  const named = [...document.tokens].find(([token, weight]) => weight === "A" && isBrand(token));
  const brand = [named?.[0] ?? "", ...words].find(isBrand);
  if (brand !== undefined) document.facets.brand ??= brand;
}

const otherLenovos = ["ideapad", "legion", "loq", "thinkbook", "yoga"];

/** Adds a line that the name omits: an "M1 Air" is a MacBook, a Lenovo T14 is a ThinkPad. */
function addUnsaidLine(document: ListingDocument): void {
  const { facets, tokens } = document;
  const isSeries = ([token, weight]: [string, Weight]) =>
    weight === "A" && /^(?:[elptwx]\d{1,3}[a-z]?|2[01](?=\d*[a-z])[a-z\d]{8})$/.test(token);
  if (facets.brand === "apple") addToken(document, "macbook", "B");
  if (facets.brand === "lenovo" && [...tokens].some(isSeries))
    if (!otherLenovos.some((line) => tokens.has(line))) addToken(document, "thinkpad", "B");
}

function isBrand(word: string): word is Brand {
  return (brands as readonly string[]).includes(word);
}

function addProperty(
  { facets, tokens }: ListingDocument,
  property: Property,
  weight: Weight,
): void {
  switch (property.kind) {
    case "ram":
      facets.ram ??= property.gb;
      break;
    case "storage":
      facets.storage ??= property.gb;
      break;
    case "screen":
      facets.screen ??= property.inches;
      break;
    case "battery":
      facets.battery ??= property.percent;
      break;
    case "generation":
      addToken({ facets, tokens }, `gen${property.number}`, weight);
      break;
    case "processor": {
      const { family, model, generation } = property;
      if (weight === "D" && facets.processor !== undefined && family !== facets.processor) break;
      if (family !== undefined) facets.processor ??= family;
      if (model !== undefined) facets.processorModel ??= model;
      if (generation !== undefined) addToken({ facets, tokens }, `gen${generation}`, "B");
      break;
    }
    case "graphics":
      facets.graphics ??= property.family;
      if (property.model !== undefined) facets.graphicsModel ??= property.model;
      break;
    case "ignored":
  }
}

function addToken({ tokens }: ListingDocument, token: string, weight: Weight): void {
  if (token === "") return;
  const known = tokens.get(token);
  if (known === undefined || weight < known) tokens.set(token, weight);
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

const chipMakers: [RegExp, string][] = [
  [/^(?:i\d|ultra|core|celeron|pentium|xeon|atom)/, "intel"],
  [/^(?:ryzen|athlon)/, "amd"],
  [/^m\d/, "apple"],
  [/^(?:rtx|gtx|mx|quadro)/, "nvidia"],
];

/**
 * Adds the names of parts, which buyers also search as words ("3060", "1165g7", "intel"), and the
 * tokens for the filters (`active-filters.ts`). A 13.3-inch screen also counts as 13 inches.
 */
function addFacetTokens(document: ListingDocument): void {
  const { processor, processorModel, graphics, graphicsModel } = document.facets;
  for (const name of [processor, graphics]) {
    if (name === undefined) continue;
    addToken(document, name, "B");
    const maker = chipMakers.find(([pattern]) => pattern.test(name));
    if (maker) addToken(document, maker[1], "B");
  }
  for (const model of [processorModel, graphicsModel]) {
    if (model === undefined) continue;
    addToken(document, model, "B");
    const number = /\d{3,5}/.exec(model)?.[0];
    if (number !== undefined) addToken(document, number, "B");
  }
  const { ram, storage, screen } = document.facets;
  const filterTokens = [
    ram && `ram${ram}gb`,
    storage && `ssd${storage}gb`,
    processor && `cpu${processor}`,
    processor && processorModel && `cpu${processor}${processorModel}`,
    graphics && `gpu${graphics}`,
    screen && `screen${screen}`,
    screen && `screen${Math.floor(screen)}`,
  ];
  for (const token of filterTokens) if (typeof token === "string") addToken(document, token, "B");
}

/** Maximum prices of laptops that count as "cheap" and "for a student". */
const cheapCents = 30_000;
const studentCents = 60_000;

function addPurposes(document: ListingDocument, { priceCents }: Listing): void {
  const { graphics, graphicsModel = "", ram = 0, screen = 15 } = document.facets;
  const hasGamingCard =
    graphics === "rtx" || graphics === "gtx" || /^radeon\d{4}m/.test(graphicsModel);
  if (hasGamingCard) addToken(document, "usegaming", "C");
  if (hasGamingCard && ram >= 16) addToken(document, "usecreative", "C");
  if (screen < 13.7 && graphics !== "rtx") addToken(document, "uselight", "C");
  if (priceCents <= cheapCents) addToken(document, "usecheap", "C");
  if (priceCents <= studentCents && !hasGamingCard) addToken(document, "usestudent", "C");
}

export function tsvectorText({ tokens }: ListingDocument): string {
  return [...tokens].map(([token, weight]) => `${lexeme(token)}:1${weight}`).join(" ");
}

export function lexeme(token: string): string {
  return `'${token.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
