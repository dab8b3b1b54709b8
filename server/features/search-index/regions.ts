/** By GeoNames code, for countries whose towns we label with their region. */
const regions: Record<string, Record<string, string>> = {
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
  CA: swapped("01 ab|02 bc|03 mb|04 nb|05 nl|07 ns|08 on|09 pe|10 qc|11 sk|12 yt|13 nt|14 nu"),
  AU: swapped("01 act|02 nsw|03 nt|04 qld|05 sa|06 tas|07 vic|08 wa"),
};

function table(text: string): Record<string, string> {
  return Object.fromEntries(text.split("|").map((entry) => entry.split(/ (.*)/).slice(0, 2)));
}

function swapped(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(table(text)).map(([code, name]) => [name, code]));
}

const countryNames = new Intl.DisplayNames("en", { type: "region" });

export function regionName(country: string, region: string): string {
  return regions[country]?.[region] ?? countryNames.of(country) ?? country;
}

const otherNames: Record<string, string> = {
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

/** By folded name. */
export function countryOf(name: string): string | undefined {
  countries ??= new Map([...allCountries(), ...Object.entries(otherNames)]);
  return countries.get(name);
}

function allCountries(): [string, string][] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters
    .flatMap((one) => letters.map((two) => `${one}${two}`))
    .map((code): [string, string] => [(countryNames.of(code) ?? code).toLowerCase(), code])
    .filter(([name, code]) => name !== code.toLowerCase());
}

/** `name`: a folded name or code. */
export function matchesRegion(
  { country, region }: { country: string; region: string },
  name: string,
): boolean {
  return (
    region.toLowerCase() === name ||
    regions[country]?.[region]?.toLowerCase() === name ||
    abbreviations[country]?.[name] === region
  );
}
