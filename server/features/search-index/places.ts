import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { foldText } from "#contract/text.ts";

/** A town. `id` is its GeoNames id, `key` its folded name, `region` a state or province code. */
type Place = {
  id: number;
  key: string;
  name: string;
  region: string;
  country: string;
  latitude: number;
  longitude: number;
  population: number;
};

let loaded: { all: Place[]; byName: Map<string, Place[]>; byId: Map<number, Place> } | undefined;

/** Loads the towns on first use, largest first. */
function load() {
  if (loaded) return loaded;
  const file = readFileSync(new URL("./places.tsv.gz", import.meta.url));
  const text = gunzipSync(file).toString();
  const all = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(readPlace);
  loaded = {
    all,
    byName: Map.groupBy(all, ({ key }) => key),
    byId: new Map(all.map((place) => [place.id, place])),
  };
  return loaded;
}

function readPlace(line: string): Place {
  const [id, name = "", region = "", country = "", latitude, longitude, population] =
    line.split("\t");
  return {
    id: Number(id),
    key: keyOf(name),
    name,
    region,
    country,
    latitude: Number(latitude),
    longitude: Number(longitude),
    population: Number(population),
  };
}

/** "St. Louis" and "Saint Louis" have the same key. */
function keyOf(name: string): string {
  return foldText(name)
    .replaceAll(/[.']/g, "")
    .replaceAll("-", " ")
    .replace(/^saint /, "st ")
    .trim();
}

/** Returns a label such as "Portland, Oregon" or "Berlin, Germany". */
export function placeLabel({ name, region, country }: Place): string {
  return `${name}, ${regionName(country, region)}`;
}

/** Finds towns, largest first, in texts such as "portland oregon" or "12 High St, Leeds, UK". */
export function findPlaces(text: string): Place[] {
  const parts = text.split(",").map(keyOf).filter(Boolean);
  for (let first = 0; first < Math.min(parts.length, 4); first += 1) {
    const [name = "", ...regions] = parts.slice(first);
    const found = named(name, regions);
    if (found.length > 0) return found;
  }
  return [];
}

/** Common names that GeoNames lists differently. */
const otherTownNames = new Map([
  ["new york", "new york city"],
  ["nyc", "new york city"],
]);

function named(written: string, regions: string[]): Place[] {
  const { byName } = load();
  const name = otherTownNames.get(written) ?? written;
  const whole = (byName.get(name) ?? []).filter((place) => isIn(place, regions));
  if (whole.length > 0) return whole;
  // The last one to three words may be the region: "portland oregon".
  const words = name.split(" ");
  for (let last = words.length - 1; last > 0 && last >= words.length - 3; last -= 1) {
    const region = words.slice(last).join(" ");
    const found = (byName.get(words.slice(0, last).join(" ")) ?? []).filter((place) =>
      isIn(place, [region, ...regions]),
    );
    if (found.length > 0) return found;
  }
  return [];
}

function isIn(place: Place, names: string[]): boolean {
  return names.every((name) => countryOf(name) === place.country || matchesRegion(place, name));
}

/**
 * A town name means the largest town of that name if it is at least this many times larger than the
 * next.
 */
const clearlyLarger = 4;

/** Returns undefined if the town is unknown or ambiguous. */
export function placeOfListing(location: string): Place | undefined {
  const [first, second] = findPlaces(location);
  if (!first || (second && first.population < clearlyLarger * second.population)) return undefined;
  return first;
}

export function suggestPlaces(typed: string, max: number): Place[] {
  const key = keyOf(typed);
  const found: Place[] = [];
  for (const place of load().all) {
    if (place.key.startsWith(key)) found.push(place);
    if (found.length === max) break;
  }
  return found;
}

/** Returns undefined if the town is no longer in the list. */
export function placeById(id: number): Place | undefined {
  return load().byId.get(id);
}

/** Returns the distance in kilometers, by the haversine formula. */
export function distanceBetween(a: Place, b: Place): number {
  const radians = Math.PI / 180;
  const [lat, lon] = [b.latitude - a.latitude, b.longitude - a.longitude];
  const half =
    Math.sin((lat * radians) / 2) ** 2 +
    Math.cos(a.latitude * radians) *
      Math.cos(b.latitude * radians) *
      Math.sin((lon * radians) / 2) ** 2;
  return 12_742 * Math.asin(Math.sqrt(half));
}

/** Returns whole kilometers, or null if either location is unknown or ambiguous. */
export function kmBetween(from: string, to: string): number | null {
  const [start, end] = [placeOfListing(from), placeOfListing(to)];
  return start && end ? Math.round(distanceBetween(start, end)) : null;
}

export type NearbyPlace = { id: number; km: number };

/** Lists the towns within `radius` kilometers, nearest first. */
export function placesWithin(center: Place, radius: number): NearbyPlace[] {
  const maxLatitude = radius / 111;
  const farthest = Math.abs(center.latitude) + maxLatitude;
  const maxLongitude = farthest < 90 ? maxLatitude / Math.cos((farthest * Math.PI) / 180) : 180;
  return (
    load()
      // Comparing degrees first avoids most of the distance calculations.
      .all.filter(
        ({ latitude, longitude }) =>
          Math.abs(latitude - center.latitude) <= maxLatitude &&
          degreesBetween(longitude, center.longitude) <= maxLongitude,
      )
      .map((place) => ({ id: place.id, km: distanceBetween(center, place) }))
      .filter(({ km }) => km <= radius)
      .sort((a, b) => a.km - b.km)
  );
}

function degreesBetween(a: number, b: number): number {
  const apart = Math.abs(a - b);
  return Math.min(apart, 360 - apart);
}

/** Regions by GeoNames code, for countries whose towns we label with their region. */
const regionNames: Record<string, Record<string, string>> = {
  US: table(
    "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming",
  ),
  GB: table("ENG England|NIR Northern Ireland|SCT Scotland|WLS Wales"),
  CA: table(
    "01 Alberta|02 British Columbia|03 Manitoba|04 New Brunswick|05 Newfoundland and Labrador|07 Nova Scotia|08 Ontario|09 Prince Edward Island|10 Quebec|11 Saskatchewan|12 Yukon|13 Northwest Territories|14 Nunavut",
  ),
  AU: table(
    "01 Australian Capital Territory|02 New South Wales|03 Northern Territory|04 Queensland|05 South Australia|06 Tasmania|07 Victoria|08 Western Australia",
  ),
};

/** Abbreviations of regions whose GeoNames code is a number. */
const abbreviations: Record<string, Record<string, string>> = {
  CA: table("ab 01|bc 02|mb 03|nb 04|nl 05|ns 07|on 08|pe 09|qc 10|sk 11|yt 12|nt 13|nu 14"),
  AU: table("act 01|nsw 02|nt 03|qld 04|sa 05|tas 06|vic 07|wa 08"),
};

function table(text: string): Record<string, string> {
  return Object.fromEntries(text.split("|").map((entry) => entry.split(/ (.*)/).slice(0, 2)));
}

const countryNames = new Intl.DisplayNames("en", { type: "region" });

function regionName(country: string, region: string): string {
  return regionNames[country]?.[region] ?? countryNames.of(country) ?? country;
}

const otherCountryNames: Record<string, string> = {
  usa: "US",
  us: "US",
  "united states of america": "US",
  america: "US",
  uk: "GB",
  "great britain": "GB",
  holland: "NL",
  turkey: "TR",
  "czech republic": "CZ",
};

let countries: Map<string, string> | undefined;

function countryOf(name: string): string | undefined {
  countries ??= new Map([...allCountries(), ...Object.entries(otherCountryNames)]);
  return countries.get(name);
}

function allCountries(): [string, string][] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters
    .flatMap((one) => letters.map((two) => `${one}${two}`))
    .map((code): [string, string] => [(countryNames.of(code) ?? code).toLowerCase(), code])
    .filter(([name, code]) => name !== code.toLowerCase());
}

function matchesRegion({ country, region }: Place, name: string): boolean {
  return (
    region.toLowerCase() === name ||
    regionNames[country]?.[region]?.toLowerCase() === name ||
    abbreviations[country]?.[name] === region
  );
}
