import { z } from "zod";

/** One line with at least one visible character. */
export function text(requiredMessage: string, max: number) {
  return paragraphs(requiredMessage, max).refine(
    (value) => !/[\t\n\r\u2028\u2029]/.test(value),
    "Please keep this to one line.",
  );
}

/** A name that others see in emails and on pages. */
export function plainName(requiredMessage: string, max: number) {
  return text(requiredMessage, max).refine((value) => !hasAddress(value), leaveOutAddresses);
}

const leaveOutAddresses = "Please leave out web and email addresses. After a period, add a space.";

/** Whether a reader or mail client could mistake part of the text for a web or email address. */
export function hasAddress(value: string): boolean {
  const folded = value
    .normalize("NFKC")
    .replaceAll(/\p{DI}/gu, "")
    .replaceAll("\u3002", ".");
  return /:\/\/|\bwww\.|\bmailto:/i.test(folded) || hostName.test(folded);
}

/** A host name such as shop.example. One-letter names (t.co) need a known top-level domain. */
const hostName =
  /[\p{L}\p{N}_-][\p{L}\p{N}]\.(?:\p{L}{2,}|xn--)|[\p{L}\p{N}]\.(?:ai|app|biz|cc|co|com|de|dev|gg|gl|info|io|link|ly|me|net|online|org|ru|shop|site|to|top|tv|uk|us|ws|xyz)(?![\p{L}\p{N}])/iu;

export function paragraphs(requiredMessage: string, max: number) {
  return z
    .string(requiredMessage)
    .trim()
    .min(1, requiredMessage)
    .max(max, `Use at most ${max} characters.`)
    .refine((value) => visible.test(value), requiredMessage)
    .refine((value) => !hidden.test(value), leaveOutControls);
}

export const leaveOutControls = "Please leave out control characters.";

/** Excludes fillers, joiners and the Braille blank. */
const visible = /(?![\p{DI}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Control characters except tabs and line breaks, bidirectional overrides, and lone surrogates. */
export const hidden = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

type WholeRule = {
  min: number;
  required: string;
  notWhole: string;
  tooLow: string;
  /** Absent if the maximum depends on the date. */
  most?: { max: number; tooHigh: string };
};

export function whole({ min, required, notWhole, tooLow, most }: WholeRule) {
  return z
    .number({ error: ({ input }) => ((input ?? "") === "" ? required : notWhole) })
    .refine((value) => Number.isInteger(value), { error: notWhole, abort: true })
    .refine((value) => value >= min, tooLow)
    .refine((value) => most === undefined || value <= most.max, most?.tooHigh);
}

export function typedWhole(rule: WholeRule) {
  return z.string(rule.required).trim().min(1, rule.required).transform(Number).pipe(whole(rule));
}

/** At least five digits. Clients may send a JSON number (decisions/pages). */
export function phone(message: string) {
  return z
    .union([z.number().int().nonnegative(), z.string()], message)
    .transform((value) => String(value).trim())
    .refine((value) => value !== "", message)
    .refine(
      (value) => value === "" || /^(?=(\D*\d){5})\+?[\d ().-]{5,24}$/.test(value),
      "Enter a phone number such as 503-555-0100.",
    );
}

export const email = z
  .string("Email Address is required.")
  .transform((value) => value.normalize("NFKC").trim().toLowerCase())
  .pipe(z.string().min(1, "Email Address is required."))
  .pipe(
    z
      .email("Enter an email address such as you@example.com.")
      .max(254, "That email address is too long."),
  );

const openFullLink = "Open the full link from the email.";

export const emailedToken = z.string(openFullLink).max(200, openFullLink);

/** Every word makes a search slower. */
const maxSearchWords = 24;

/** The limit also applies after folding, which can turn one character into eighteen. */
export function searchText(max: number, tooLong: string) {
  return z
    .string()
    .trim()
    .max(max, { error: tooLong, abort: true })
    .refine((value) => !hidden.test(value), { error: leaveOutControls, abort: true })
    .refine((value) => foldText(value).length <= max, { error: tooLong, abort: true })
    .refine(
      (value) => (foldText(value).match(/[\p{L}\p{N}]+/gu) ?? []).length <= maxSearchWords,
      `Search with at most ${maxSearchWords} words.`,
    );
}

/** Lowercases, removes accents, and unifies quotes, dashes and spaces. */
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
