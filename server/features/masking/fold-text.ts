/** `end` is exclusive. */
export type Span = { start: number; end: number };

/** Text with each character's position in the original. */
export type FoldedText = {
  text: string;
  /** For each UTF-16 unit of `text`, where its character starts and ends in the original. */
  starts: number[];
  ends: number[];
};

/** Replaces lookalikes (NFKD, other scripts, accents, case). Removes invisible characters. */
export function foldText(original: string): FoldedText {
  const folded: FoldedText = { text: "", starts: [], ends: [] };
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    const text = foldCharacter(character);
    folded.text += text;
    for (let unit = 0; unit < text.length; unit += 1) {
      folded.starts.push(at);
      folded.ends.push(end);
    }
    at = end;
  }
  return folded;
}

function foldCharacter(character: string): string {
  const emojiLetter = squaredLetter(character);
  const parts = (emojiLetter ?? character).normalize("NFKD").replaceAll(/[\p{M}\p{DI}]/gu, "");
  return [...parts].map(foldPart).join("").toLowerCase();
}

function foldPart(part: string): string {
  if (/^[\x20-\x7e]$/.test(part)) return part;
  if (/^\p{Nd}$/u.test(part)) return String(digitValue(part));
  if (/^\p{Pd}$/u.test(part)) return "-";
  if (part === "\u2800") return " ";
  if (/^\s$/u.test(part)) return part === "\n" ? "\n" : " ";
  return lookalikes.get(part) ?? part;
}

/** Unicode keeps each script's digits together, from 0 to 9. Some sets follow another directly. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/** The letter or digit in a dark square, dark circle or flag, which NFKD doesn't convert. */
function squaredLetter(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const first = [0x1f150, 0x1f170, 0x1f1e6].find((start) => code >= start && code < start + 26);
  if (first !== undefined) return String.fromCharCode(97 + code - first);
  if (code >= 0x2776 && code <= 0x277e) return String(code - 0x2775);
  if (code >= 0x278a && code <= 0x2792) return String(code - 0x2789);
  return code === 0x24ff ? "0" : undefined;
}

const lookalikes = new Map<string, string>(
  Object.entries({
    a: "аɑα",
    b: "вʙ",
    c: "сϲ",
    d: "ԁ",
    e: "еёє",
    g: "ɡ",
    h: "һн",
    i: "іıΙι",
    j: "ј",
    k: "кκ",
    l: "ӏ",
    m: "мΜ",
    n: "пɴ",
    o: "оοσօ",
    p: "рρ",
    q: "ԛ",
    r: "г",
    s: "ѕ",
    t: "тτ",
    u: "υս",
    v: "ѵν",
    w: "ԝѡ",
    x: "хχ×",
    y: "уүγ",
    A: "АΑ",
    B: "ВΒ",
    C: "С",
    E: "ЕΕ",
    H: "НΗ",
    I: "ІӀ",
    J: "Ј",
    K: "КΚ",
    M: "М",
    N: "Ν",
    O: "ОΟ",
    P: "РΡ",
    S: "Ѕ",
    T: "ТΤ",
    X: "ХΧ",
    Y: "УΥ",
    Z: "Ζ",
    "3": "Ззᴣ",
    "6": "б",
    ".": "。․·•∙⋅",
    ":": "：∶",
    "/": "⁄∕",
    "-": "−‒",
    "@": "＠﹫",
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);
