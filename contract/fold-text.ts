/** Lowercases a text, removes accents, and unifies quotes, dashes and spaces. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[\u2018\u2019\u02bc`´]/gu, "'")
    .replaceAll(/[\u201c\u201d\u2033]|''/gu, '"')
    .replaceAll(/[\u2010-\u2015\u2212]/gu, "-")
    .replaceAll(/[\u2032]{2}/gu, '"')
    .replaceAll(/\s+/gu, " ")
    .trim();
}
