import type { Span } from "./fold-text.ts";

/** Shorter numbers are usually prices, sizes or models. */
const minDigits = 7;

/** Storage sizes such as "256 512 1024", which look like a phone number. */
const storageSizes =
  /(?<!\d[\s().-]{0,3})(?=\d{1,4}\s\d{1,4}\s\d)(?:32\s)?(?:64\s)?(?:128\s)?(?:256\s)?(?:512\s)?(?:10(?:00|24)\s)?(?:512|1000|1024|2000|2048)(?![\s().-]{0,3}\d)/g;

/** Numbers of these shapes count as phone numbers in any context. */
const surePhoneNumbers = [
  // (503) 555 - 0100
  /(?<!\d)(?:\+?1[ .-]{0,3})?\(?\d{3}[ ().-]{0,4}\d{3}[ .-]{0,4}\d{4}(?!\d)/g,
  // 503x555x0100, 503 by 555 by 0100, (503)x(555)x(0100), 503abc555abc0100
  /(?<!\d)\d{3}(?:[\s()]{0,3}(?:x|by)[\s()]{0,3}|[a-z]{1,3})\d{3}(?:[\s()]{0,3}(?:x|by)[\s()]{0,3}|[a-z]{1,3})\d{4}(?!\d)/g,
  // 503x5550100, but not 0x80070057
  /(?<![\dx])(?:\d{2,4}x\d{6,8}|\d{6,8}x\d{2,4})(?![\dx])/g,
  // 5x0x3x5x5x5x0x1x0x0 and 50x35x55x01x00, but not 2x8x16
  /(?<![\dx])\d{1,4}(?:x\d{1,4}){4,12}(?![\dx])/g,
  // +44 20 7946 0958
  /\+ ?\d(?:[ ().-]{0,3}\d){6,14}(?!\d)/g,
  // 07700 900123, but not 05.03.2021 14.30
  /(?<!\d[ ().-]{0,3})(?!\d\d([-.])\d\d\1(?:19|20)\d\d)0\d(?:[ ().-]{0,3}\d){7,11}(?!\d)/g,
];

const amount = String.raw`(?:[1-9]\d{0,5}|0)`;
/** Matches "8", "8/16", "6-8", "43,210 of 50,000" or "8, 16": a comma may separate two numbers. */
const quantity = String.raw`(?<![\d-])(?:(?:${amount}(?:\.\d{1,3})?\s?,\s?){0,8}|(?:${amount}(?:[.,]\d{1,3})?\s?(?:\/|of)\s?){0,8}|${amount}(?:[.,]\d{1,3})?\s?-\s?)${amount}(?:[.,]\d{1,3})?`;
const units =
  "[mk]?wh|mah|[tgmk]i?bp?s?|[tgmk]bytes?|[gmk]hz|hz|nits|inch(?:es)?|cycles?|hours?|hrs?|points|rpm|percent|%";

/** Numbers that don't count as part of a phone number, such as prices, dates and versions. */
const otherNumbers = [
  // $1,200 and 450 dollars
  /[$€£¥]\s?(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,3}(?:\.\d{3}){1,3}|\d{1,3}(?: \d{3}){1,2}(?![ .-]?\d)|\d{1,6})(?:[.,]\d{1,2})?(?!\d)/g,
  /(?<![\d-])[1-9]\d{0,5}(?:[.,]\d{1,3})?\s?(?:usd|eur|gbp|dollars?|bucks|euros?|pounds?|[€£$])(?![a-z])/g,
  // 2026-11-22 and 22.11.2026
  /(?<!\d)(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)/g,
  /(?<!\d)(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)\d\d(?!\d)/g,
  // 14:30 and 14:30:15
  /(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:])/g,
  // 1920x1080
  /(?<![\d*x])\d{3,4}\s?[x*]\s?\d{3,4}(?![\d*x])/g,
  // 1,299
  /(?<![\d,.-])\d{1,3},\d{3}(?:\.\d\d)?(?![,.-]?\d)/g,
  // 640 - 40 = 600
  /(?<!\d)\d{2,4}\s?[-+*/]\s?\d{1,4}\s?=\s?\d{1,5}(?!\d)/g,
  // XPS 13 9310
  /\b(?:xps|latitude|inspiron|vostro|precision|surface (?:laptop|pro)|gram|aspire|swift|nitro|yoga|legion|ideapad|windows|rtx|gtx|[a-z]{0,12}book)\s(?:1\d\s)?\d{1,4}(?![\d-])/g,
  // 45000 / 57000 mWh
  new RegExp(String.raw`${quantity}\s?(?:${units})(?![a-z])`, "g"),
  // version 31.0.15.3623, build 19045.3803
  /(?:version|driver|bios|firmware|build|v)\s?\d{1,5}(?:\.\d{1,5}){1,3}(?!\.?\d)/g,
  // Windows 10.0.22631.2428
  /\b1[01]?\.\d\.\d{5}(?:\.\d{1,5})?(?!\.?\d)/g,
  // 13.3" and 14"
  /(?<![\d".])1\d(?:\.\d)?\s?"(?!\s?["\d])/g,
  // Portland, OR 97201-1234
  /\b(?:[a-z]{2}|zip(?: code)?)[ :]{1,2}\d{5}-\d{4}(?![\d-])/g,
  // Geekbench 1732/7311
  /(?<![\d/-])\d{4}\s?\/\s?\d{4}(?![\d/-])/g,
  // model 7420, 2021
  /(?<![\d-]\s?)\d{4}[, ]{1,2}(?:19|20)\d\d(?![\d-])(?!\s\d)/g,
  // 2019, 2020 and 2018-2021
  /(?<![\d-]\s?)(?:(?:19[89]|20[0-3])\d[-,/ ]{1,2}){1,12}(?:19[89]|20[0-3])\d(?!\s?[\d-])/g,
  // 8/16/32/64 and 128, 256, 512
  /(?<!\d)(?:(?:2|4|6|8|12|16|24|32|48|64|96|128|250|256|500|512|1000|1024|2000|2048)\s?[/,]\s?){2,12}(?:4|8|12|16|24|32|48|64|96|128|256|512|1000|1024|2000|2048|4096)(?!\s?[\d/-])/g,
];

/** Number words in English, Spanish, German and French. Omits "once" (11), an English word. */
const digitWords = new Map(
  Object.entries({
    "0": "zero oh nil nought naught o cero null",
    "1": "one won uno eins un",
    "2": "two twenty dos zwei deux",
    "3": "three thirty tres drei trois",
    "4": "four fore forty fourty cuatro vier quatre",
    "5": "five fiv fife fifty cinco funf cinq",
    "6": "six sixty seis sechs",
    "7": "seven sevn seventy siete sieben",
    "8": "eight ate eighty ocho acht huit",
    "9": "nine niner ninety nueve neun neuf",
    "10": "ten",
    "11": "eleven",
    "12": "twelve",
    "13": "thirteen",
    "14": "fourteen",
    "15": "fifteen",
    "16": "sixteen",
    "17": "seventeen",
    "18": "eighteen",
    "19": "nineteen",
    "00": "hundred",
    "000": "thousand",
  }).flatMap(([digits, words]) => words.split(" ").map((word) => [word, digits] as const)),
);

const fillers = new Set("dash hyphen minus dot point space slash plus and then".split(" "));
const repeats: Record<string, number> = { double: 2, triple: 3, treble: 3 };
const maxSeparators = 6;

type Token = { start: number; end: number; digits: string; joins: boolean };

/** Finds digits, in figures or words, with only separators and `fillers` between them. */
export function findPhoneNumbers(folded: string): Span[] {
  const spans: Span[] = [];
  const blank = (text: string, pattern: RegExp) =>
    text.replace(pattern, (number) => "¤".repeat(number.length));
  let text = blank(folded, storageSizes);
  for (const pattern of surePhoneNumbers) {
    for (const { 0: number, index } of text.matchAll(pattern))
      spans.push({ start: index, end: index + number.length });
    text = blank(text, pattern);
  }
  text = otherNumbers.reduce(blank, text);
  let run: Token[] = [];
  const close = () => {
    const found = spanOf(run, text);
    if (found) spans.push(found);
    run = [];
  };
  for (const token of tokensOf(text)) {
    const last = run.at(-1);
    if (last && isBroken(text.slice(last.end, token.start))) close();
    if (token.digits !== "" || (token.joins && run.length > 0)) run.push(token);
    else close();
  }
  close();
  return spans;
}

/** Whether letters or too many separators end a number. Counts repeats, as in "....", once. */
function isBroken(between: string): boolean {
  return /[\p{L}¤]/u.test(between) || between.replace(/(..?)\1+/g, "$1").length > maxSeparators;
}

function spanOf(run: Token[], text: string): Span | undefined {
  const digits = run.filter((token) => token.digits !== "");
  const [first, last] = [digits[0], digits.at(-1)];
  const count = digits.reduce((sum, token) => sum + token.digits.length, 0);
  if (!first || !last || count < minDigits || isList(digits, text)) return undefined;
  return { start: first.start, end: last.end };
}

/** Whether the numbers rise or fall like prices: "399, 429 and 449" or "1200 - 1350". */
function isList(tokens: Token[], text: string): boolean {
  if (isGroupedAsPhone(tokens)) return false;
  const gaps = tokens.slice(1).map(({ start }, n) => text.slice(tokens[n]?.end, start));
  const isPlain = tokens.every(
    ({ digits, start, end }) => /^[1-9]\d{1,3}$/.test(digits) && end - start === digits.length,
  );
  const values = tokens.map(({ digits }) => Number(digits));
  const steps = values.slice(1).map((value, n) => Math.sign(value - (values[n] ?? 0)));
  const isSpaced = gaps.every((gap) => gap.length > 1);
  const isDialled = gaps.length > 1 && gaps.some((gap) => /[()-]/.test(gap));
  return isPlain && isSpaced && !isDialled && new Set(steps).size === 1 && steps[0] !== 0;
}

/** True for "212, 555, 7890". False for "499, 799, 1299": prices are usually round and close. */
function isGroupedAsPhone(tokens: Token[]): boolean {
  const lastThree = tokens.slice(-3).map(({ digits }) => digits);
  if (lastThree.map((digits) => digits.length).join() !== "3,3,4") return false;
  const [, middle, last] = lastThree.map(Number);
  const isRound = lastThree.every((digits) => /[059]$/.test(digits));
  return !isRound || Number(last) > 4 * Number(middle);
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let times = 1;
  for (const { 0: word, index: start } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const end = start + word.length;
    const repeat = repeats[word];
    if (repeat !== undefined) times = repeat;
    const digits = digitsIn(word).repeat(digitsIn(word).length === 1 ? times : 1);
    if (digits !== "") times = 1;
    tokens.push({ start, end, digits, joins: fillers.has(word) || repeat !== undefined });
  }
  return tokens;
}

/** Reads "503", "five", "fivefivefive", "5o3" and "5one5". Empty for "x1" and "1165g7". */
function digitsIn(word: string): string {
  if (/^\d+$/.test(word)) return word;
  const known = digitWords.get(word);
  if (known !== undefined) return known;
  const lookalike = /^[\do][\doilsbz]{2,}$/.test(word)
    ? word.replaceAll(/[oilsbz]/g, (sign) => asDigit[sign] ?? sign)
    : word;
  const written = lookalike.replaceAll(spelled, (name) => digitWords.get(name) ?? "");
  const changed = written !== word;
  return changed && /^\d{2,}$/.test(written) ? written : "";
}

const asDigit: Record<string, string> = { o: "0", i: "1", l: "1", s: "5", b: "8", z: "2" };
const spelled = /zero|one|two|three|four|five|six|seven|eight|nine/g;
