import { findAddresses } from "./find-addresses.ts";
import { findPhoneNumbers } from "./find-phone-numbers.ts";
import { type FoldedText, foldText, type Span } from "./fold-text.ts";

/** The placeholder for contact details in the text that the other member sees. */
export const hiddenContact = "[hidden until paid]";

/** Replaces phone numbers, email addresses and links in public text with "[removed]". */
export function removeContacts(text: string): string {
  return maskContacts(text, "[removed]") ?? text;
}

/** Masks phone numbers, email addresses and links in a text. Returns null if the text has none. */
export function maskContacts(original: string, replacement = hiddenContact): string | null {
  const spans = findContactSpans(original);
  if (spans.length === 0) return null;
  let masked = "";
  let at = 0;
  for (const { start, end } of spans) {
    masked += original.slice(at, start) + replacement;
    at = end;
  }
  return masked + original.slice(at);
}

/** The phone numbers, email addresses and links in a text. */
export function findContacts(original: string): string[] {
  return findContactSpans(original).map(({ start, end }) => original.slice(start, end));
}

function findContactSpans(original: string): Span[] {
  const folded = foldText(original);
  const spans = [folded, joinSingleCharacters(folded)].flatMap((form) =>
    [...findPhoneNumbers(form.text), ...findAddresses(form.text)].map((span) =>
      placeIn(form, span),
    ),
  );
  return merge(spans);
}

function placeIn({ starts, ends }: FoldedText, { start, end }: Span): Span {
  return { start: starts[start] ?? 0, end: ends[end - 1] ?? 0 };
}

function merge(spans: Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}

/** Joins spaced-out characters: "j o h n @ g m a i l" becomes "john@gmail". */
function joinSingleCharacters({ text, starts, ends }: FoldedText): FoldedText {
  const joined: FoldedText = { text: "", starts: [], ends: [] };
  const separators = new Set<number>();
  for (const { 0: run, index } of text.matchAll(
    /(?<![\p{L}\p{N}])[\p{L}\p{N}@.](?:[ _*-][\p{L}\p{N}@.]){2,}(?![\p{L}\p{N}])/gu,
  ))
    for (let at = index + 1; at < index + run.length; at += 2) separators.add(at);
  for (let at = 0; at < text.length; at += 1) {
    if (separators.has(at)) continue;
    joined.text += text[at];
    joined.starts.push(starts[at] ?? 0);
    joined.ends.push(ends[at] ?? 0);
  }
  return joined;
}
