/** Real reports of all formats are far shorter. */
export const maxReportBytes = 2_000_000;
const maxLines = 20_000;
const maxLineLength = 400;

/** Windows writes UTF-16. */
export function decodeReport(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const looksLikeUtf16 = bytes.length > 8 && [1, 3, 5, 7].every((at) => bytes[at] === 0);
  return new TextDecoder(looksLikeUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** Removes terminal and IRC color codes, and normalizes spaces and line endings. */
export function plainText(report: string): string {
  return report
    .slice(0, maxReportBytes)
    .replaceAll(/[^\P{Cc}\s]\[[\d;]{0,20}[A-Za-z]/gu, "")
    .replaceAll(/[^\P{Cc}\s](?:\d{1,2}(?:,\d{1,2})?)?|\p{Cf}/gu, "")
    .replaceAll(/[\u00a0\u2007\u2009\u202f]/g, " ")
    .replaceAll(/\r\n?/g, "\n");
}

/** Truncates the text and its lines to limit the work of every pattern. */
export function linesOf(text: string): string[] {
  return text.split("\n", maxLines).map((line) => line.slice(0, maxLineLength).trimEnd());
}

/** A line "key: value" or "key<tab>value". `key` and `section` are lowercase, without accents. */
export type Row = { section: string; key: string; value: string };

/** `heading` matches the lines that name a section. */
export function rowsOf(text: string, heading = /^$/): Row[] {
  let section = "";
  return linesOf(text).flatMap((line) => {
    const found = heading.exec(line)?.[1];
    if (found !== undefined) section = fold(found);
    const at = separatorOf(line);
    if (at === undefined) return [];
    return [{ section, key: fold(line.slice(0, at)), value: line.slice(at + 1).trim() }];
  });
}

function separatorOf(line: string): number | undefined {
  const start = line.search(/\S/);
  const at = [line.indexOf("\t", start), line.indexOf(":")].filter((found) => found > 0);
  return at.length === 0 ? undefined : Math.min(...at);
}

function fold(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("’", "'").trim().toLowerCase();
}

export function firstValue(rows: Row[], key: RegExp, section = /./s): string | undefined {
  return rows.find(
    (row) => row.value !== "" && key.test(row.key) && section.test(row.section || "-"),
  )?.value;
}
