export const brands = [
  "apple",
  "lenovo",
  "dell",
  "hp",
  "asus",
  "acer",
  "microsoft",
  "framework",
  "razer",
  "msi",
  "samsung",
  "lg",
  "toshiba",
  "sony",
  "huawei",
  "gigabyte",
  "fujitsu",
  "panasonic",
  "google",
  "xiaomi",
  "honor",
  "system76",
  "dynabook",
  "alienware",
  "medion",
  "clevo",
] as const;

export type Brand = (typeof brands)[number];

/** `search_documents` stores positions in this list and in `graphics`, so only append to them. */
export const processors = [
  "i3",
  "i5",
  "i7",
  "i9",
  "ultra5",
  "ultra7",
  "ultra9",
  "ryzen3",
  "ryzen5",
  "ryzen7",
  "ryzen9",
  "m1",
  "m2",
  "m3",
  "m4",
  "celeron",
  "pentium",
  "xeon",
  "snapdragon",
  "athlon",
  "atom",
  "core3",
  "core5",
  "core7",
  "m5",
  "ryzenai",
  "corem",
] as const;

export type Processor = (typeof processors)[number];

export const graphics = [
  "rtx",
  "gtx",
  "mx",
  "quadro",
  "radeon",
  "arc",
  "iris",
  "uhd",
  "vega",
  "adreno",
] as const;

export type Graphics = (typeof graphics)[number];

type Line = { brand: Brand; tags?: readonly Purpose[]; also?: string };

type Purpose = "usegaming" | "uselight" | "usebusiness" | "usecreative" | "userugged";

const gaming = { tags: ["usegaming"] } as const;
const light = { tags: ["uselight"] } as const;
const business = { tags: ["usebusiness"] } as const;
const creative = { tags: ["usecreative"] } as const;
const lightBusiness = { tags: ["uselight", "usebusiness"] } as const;

/** Model lines by folded name. `also`: another line that the name implies. */
export const modelLines: Record<string, Line> = {
  thinkpad: { brand: "lenovo", ...business },
  "x1 carbon": { brand: "lenovo", also: "thinkpad", ...lightBusiness },
  "x1 nano": { brand: "lenovo", also: "thinkpad", ...lightBusiness },
  "x1 yoga": { brand: "lenovo", also: "thinkpad", ...lightBusiness },
  "x1 extreme": { brand: "lenovo", also: "thinkpad", ...creative },
  ideapad: { brand: "lenovo" },
  yoga: { brand: "lenovo" },
  legion: { brand: "lenovo", ...gaming },
  loq: { brand: "lenovo", ...gaming },
  thinkbook: { brand: "lenovo", ...business },
  macbook: { brand: "apple" },
  "macbook air": { brand: "apple", also: "macbook", ...light },
  "macbook pro": { brand: "apple", also: "macbook", ...creative },
  xps: { brand: "dell", ...creative },
  "xps 13": { brand: "dell", also: "xps", ...light },
  latitude: { brand: "dell", ...business },
  inspiron: { brand: "dell" },
  vostro: { brand: "dell", ...business },
  precision: { brand: "dell", ...creative },
  alienware: { brand: "dell", ...gaming },
  elitebook: { brand: "hp", ...business },
  probook: { brand: "hp", ...business },
  zbook: { brand: "hp", ...creative },
  spectre: { brand: "hp", ...light },
  envy: { brand: "hp" },
  pavilion: { brand: "hp" },
  omen: { brand: "hp", ...gaming },
  victus: { brand: "hp", ...gaming },
  dragonfly: { brand: "hp", also: "elitebook", ...lightBusiness },
  zenbook: { brand: "asus", ...light },
  vivobook: { brand: "asus" },
  expertbook: { brand: "asus", ...lightBusiness },
  proart: { brand: "asus", ...creative },
  rog: { brand: "asus", ...gaming },
  zephyrus: { brand: "asus", also: "rog", ...gaming },
  strix: { brand: "asus", also: "rog", ...gaming },
  tuf: { brand: "asus", ...gaming },
  swift: { brand: "acer", ...light },
  aspire: { brand: "acer" },
  nitro: { brand: "acer", ...gaming },
  predator: { brand: "acer", ...gaming },
  helios: { brand: "acer", also: "predator", ...gaming },
  travelmate: { brand: "acer", ...business },
  surface: { brand: "microsoft" },
  "surface laptop": { brand: "microsoft", also: "surface", ...light },
  "surface pro": { brand: "microsoft", also: "surface", ...light },
  "surface book": { brand: "microsoft", also: "surface", ...creative },
  blade: { brand: "razer", ...gaming },
  stealth: { brand: "msi", ...gaming },
  katana: { brand: "msi", ...gaming },
  raider: { brand: "msi", ...gaming },
  "galaxy book": { brand: "samsung", ...light },
  gram: { brand: "lg", ...light },
  satellite: { brand: "toshiba" },
  portege: { brand: "toshiba", ...lightBusiness },
  tecra: { brand: "toshiba", ...business },
  vaio: { brand: "sony", ...light },
  matebook: { brand: "huawei", ...light },
  magicbook: { brand: "honor", ...light },
  aorus: { brand: "gigabyte", ...gaming },
  aero: { brand: "gigabyte", ...creative },
  lifebook: { brand: "fujitsu", ...business },
  toughbook: { brand: "panasonic", tags: ["userugged"] },
  pixelbook: { brand: "google", ...light },
};

/** Maps synonyms and other spellings of brands, lines and features to their folded names. */
export const synonyms = byWord({
  hp: ["hewlett packard", "hewlett-packard"],
  macbook: ["mac", "mac book"],
  "macbook pro": ["mbp"],
  "macbook air": ["mba"],
  applecare: ["apple care"],
  thinkpad: ["think pad"],
  ideapad: ["idea pad"],
  elitebook: ["elite book"],
  probook: ["pro book"],
  zenbook: ["zen book"],
  vivobook: ["vivo book"],
  chromebook: ["chrome book"],
  touchscreen: ["touch screen"],
  ultrabook: ["ultra book"],
  "2in1": ["2 in 1", "2-in-1", "convertible"],
  windows11: ["windows 11", "win 11", "win11"],
  windows10: ["windows 10", "win 10", "win10"],
  fhd: ["full hd", "1080p", "1920x1080", "1920 x 1080"],
  "4k": ["uhd", "ultra hd", "3840x2160", "3840 x 2160"],
  qhd: ["2k", "2560x1440"],
  wifi: ["wi-fi"],
  thunderbolt4: ["thunderbolt 4"],
  thunderbolt3: ["thunderbolt 3"],
  usbc: ["usb-c", "usb c", "type-c"],
  gray: ["grey"],
  backlit: ["back-lit", "back lit"],
});

export const purposes = byWord({
  usegaming: ["gaming", "games", "gamer"],
  usecreative: [
    "video editing",
    "photo editing",
    "editing",
    "creative",
    "graphic design",
    "design",
    "rendering",
    "cad",
  ],
  uselight: ["lightweight", "light", "thin", "slim", "travel", "portable", "ultrabook"],
  usebusiness: ["business", "office", "work"],
  userugged: ["rugged", "outdoor"],
  usecheap: ["cheap", "budget", "affordable", "inexpensive"],
  usestudent: ["student", "students", "school", "college", "university", "homework"],
});

function byWord(words: Record<string, string[]>): Map<string, string> {
  return new Map(Object.entries(words).flatMap(([name, all]) => all.map((one) => [one, name])));
}

export const stopWords = new Set(
  [
    "a an the with and or for of in on at to my me i im i'm we you it its is are be that this some any one",
    "want wants need needs looking look search searching find buy buying get please good nice great best decent",
    "laptop laptops notebook notebooks computer computers pc used second hand secondhand refurbished machine",
    "has have having from by near around about under very really not too can do does would like just only new",
    "kind something thing model models sale cheap-ish fast quick reliable solid home everyday daily use using",
  ].flatMap((words) => words.split(" ")),
);
