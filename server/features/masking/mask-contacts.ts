import { findPhoneNumbers } from "./find-phone-numbers.ts";
import { type FoldedText, foldText, type Span } from "./fold-text.ts";

export const hiddenContact = "[hidden until paid]";

export function removeContacts(text: string): string {
  return maskContacts(text, "[removed]") ?? text;
}

/** Masks phone numbers, email addresses, links and user names. Returns null if it finds none. */
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

/** Some country-code top-level domains that aren't English words. The lists below add others. */
const countries =
  "ae|ar|bg|cl|cy|cz|eg|gr|hk|hr|hu|ke|kr|kz|lt|lu|lv|mt|ng|ph|pk|pt|qa|ro|rs|sa|sg|sk|th|tr|tw|tz|ua|uy|vn|za";
const topLevel = `${countries}|com|net|org|edu|gov|info|biz|io|ai|co|app|dev|me|us|uk|de|fr|es|it|nl|be|ch|at|pl|se|no|dk|fi|ie|eu|ca|au|nz|in|jp|cn|ru|br|mx|tv|cc|gg|gl|ly|to|ws|xyz|shop|store|site|online|link|live|top|club|page|pro|email|mail|icu|tech|space|website|click`;
/** Endings that rarely begin a sentence. In "works.it is new", "it" is a word, not an ending. */
const distinctTopLevel = `${countries}|com|net|org|edu|gov|info|biz|io|ai|co|app|dev|uk|de|fr|es|nl|ch|pl|dk|ie|eu|au|nz|jp|cn|ru|br|mx|tv|cc|gg|gl|ly|ws|xyz|shop|store|site|online|icu`;
/** Endings that are recognized even after a space, as in "example. com". */
const commonTopLevel = "com|net|org|edu|gov|info";
const providers =
  "g ?mail|googlemail|hot ?mail|outlook|yahoo|ymail|icloud|proton ?mail|proton|gmx|aol|live|msn|zoho|fastmail|tutanota|yandex";
/** Email providers whose names have no other meaning. */
const mailProviders = "g ?mail|googlemail|hot ?mail|ymail|yahoo|proton ?mail|gmx";
const messengers =
  "whats ?app|telegram|insta(?:gram)?|snap(?:chat)?|signal|discord|skype|wechat|viber|facebook|fb|messenger|line id|ig|tg|kik";

/** Words that people write for "@" and ".", as in "john-at-example-dot-com". */
const signWords = "dot|d0t|punkt|punto|point|at|arroba|ät";

// Folding can make a text 18 times longer, so most repetitions are bounded to limit backtracking.
const gap = String.raw`[\s_-]{0,3}`;
const open = String.raw`[([{<*~|]{1,3}\s{0,3}`;
const close = String.raw`\s{0,3}[)\]}>*~|]{1,3}${gap}`;
/** Matches signs such as "@", "&#64;", "(at)", "[a]" and "<@>". */
const sureAtSign = `(?:${gap}(?:@|&#64;|%40)${gap}|${gap}${open}(?:at|a|@)${close})`;
/** Also matches words such as " at " and " arroba ". */
const atSign = String.raw`(?:${sureAtSign}|[\s._-]{1,4}(?:at|arroba|ät)[\s._-]{1,4})`;
/** Matches ".", "(dot)" and " dot ". */
const dot = String.raw`(?:[\s_-]?\.(?=\S)|\s\.\s|${gap}${open}(?:dot|d0t|\.|punkt|point)${close}|[\s_-]{1,4}(?:dot|d0t|punkt|punto|point)[\s_-]{1,4})`;
const name = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}+%]|[_-]{1,3}(?!(?:${signWords})[\s._-])(?=[\p{L}\p{N}])){0,63}`;
const mailbox = `${name}(?:${dot}${name}){0,20}`;
const host = `${name}(?:${dot}${name}){0,8}`;
/** A user name: unlike a word, it contains a digit, an underscore or a dot. */
const handle = String.raw`(?=[\p{L}\p{N}]{1,30}[\d_.][\p{L}\p{N}])[\p{L}\p{N}_.]{3,64}`;
const end = String.raw`(?![\p{L}\p{N}])`;

const patterns = [
  // john@example.com, john at example dot com
  `${mailbox}${atSign}${host}${dot}(?:${topLevel})${end}`,
  // john@example. com, john@example,com, john@example com
  String.raw`${mailbox}${sureAtSign}(?=\p{L})${name}\s?[\s.,;]\s?(?:${commonTopLevel})${end}`,
  // john@example.anything
  String.raw`${mailbox}@(?=\p{L})${name}(?:\.{1,3}${name}){0,8}\.{1,3}\p{L}{2,24}${end}`,
  // john@example. sg
  String.raw`${mailbox}@(?=\p{L})${name}\.\s(?:${topLevel})${end}`,
  // john gmail com, john.smith99 (gmail), gmail is john.smith99
  String.raw`${name}\s(?:${mailProviders})\s(?:com|net|de)${end}`,
  String.raw`(?<![\p{L}\p{N}])(?=\p{L})${handle}[\s([-]{1,3}(?:${mailProviders})${end}`,
  String.raw`\b(?:${mailProviders})\s{0,3}(?:is\s|[:=]\s?)?(?=\p{L})${handle}`,
  // john@[203.0.113.5]
  String.raw`${mailbox}@\[?\d{1,3}(?:\.\d{1,3}){3}\]?`,
  // john @ gmail
  `${mailbox}${atSign}(?:${providers})${end}`,
  // https://… and www.example.com
  String.raw`\b(?:https?|hxxps?|ftp|tel|sms|mailto|tg|whatsapp)\s?:\s?(?:\/\s?\/\s?|(?=[\p{L}\p{N}+]))\S+`,
  String.raw`\bwww\s?[.,]\s?[\p{L}\p{N}-]+(?:\s?[.,]\s?[\p{L}\p{N}-]+)*(?:\/\S*)?`,
  // example.com/path, example dot com, but not ASP.NET
  String.raw`(?<![\p{L}\p{N}])(?!(?:asp|vb)\.net(?![.\/]))${name}(?:\.${name}){0,8}(?:\.(?:${distinctTopLevel})|\.(?:${topLevel})(?=\/)|\s\.(?:${commonTopLevel})|\s?[([{<]\s?(?:dot|\.)\s?[)\]}>]\s?(?:${topLevel})|\s(?:dot|\.)\s(?:${topLevel})|\.\s(?:${commonTopLevel}))${end}(?:\/\S*)?`,
  String.raw`(?<![\p{L}\p{N}])[\p{L}\p{N}-]{1,63}\.xn--[\p{L}\p{N}-]+`,
  // @name, @ name_1, but not "@ home"
  String.raw`(?<![\p{L}\p{N}])@(?:\s(?=[a-z_]{1,30}[\d_.][\p{L}\p{N}]))?[a-z_][\p{L}\p{N}_.]{2,}`,
  // "Telegram: name", and "on telegram as name_1"
  String.raw`\b(?:${messengers})\s(?:is|as)\s(?=[\p{L}\p{N}]{0,30}[\d_.][\p{L}\p{N}])[\p{L}\p{N}_.]{3,}`,
  String.raw`\b(?:${messengers})\s{0,3}(?:(?:id|handle|user(?:name)?|name)\s{0,3})?[:=]\s{0,3}[\p{L}\p{N}_.]{3,}`,
].map((pattern) => new RegExp(pattern, "gu"));

function findAddresses(folded: string): Span[] {
  return patterns.flatMap((pattern) =>
    [...folded.matchAll(pattern)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    })),
  );
}
